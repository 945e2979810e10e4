import { ROLES, type StoredRole, USERS, userOf } from '../../access/stored-accounts.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import { allStored, type CollectionName, readStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { managingAccounts } from '../shared/presets.ts';
import type { AccountChange } from './changes.ts';
import { removeRoles, removeUsers, saveRole, saveUser } from './store.ts';

/** Describes what `mongorestore` merges: either users or roles. */
interface Kind<T extends { readonly db: string }> {
  readonly stored: CollectionName;
  /** The field that contains the name of the user or role. */
  readonly field: 'user' | 'role';
  of(document: RawDocument): T;
  save(cluster: ClusterContext, one: T): void;
  remove(cluster: ClusterContext, some: readonly T[]): void;
}

const users: Kind<ReturnType<typeof userOf>> = {
  stored: USERS,
  field: 'user',
  of: userOf,
  save: saveUser,
  remove: removeUsers,
};
const roles: Kind<StoredRole> = {
  stored: ROLES,
  field: 'role',
  of: (document) => document.toObject() as StoredRole,
  save: saveRole,
  remove: removeRoles,
};

interface Merge {
  /** The namespace of the temporary collection in `admin`. Empty if there is no such collection. */
  readonly from: string;
  /** Merges only users or roles of this database. If empty, merges the users or roles of all databases. */
  readonly of: string;
  /** If true, replaces existing users or roles, and removes those that the temporary collection lacks. */
  readonly drop: boolean;
}

function merge<T extends { readonly db: string }>(
  { stored, field, of: read, save, remove }: Kind<T>,
  { from, of: only, drop }: Merge,
  cluster: ClusterContext,
): void {
  if (from === '') return;
  const dot = from.indexOf('.');
  const wanted = allStored(cluster.store, { database: from.slice(0, dot), collection: from.slice(dot + 1) });
  const idOf = (document: RawDocument) => `${document.string('db')}.${document.string(field)}`;
  const concerned = (document: RawDocument) => only === '' || document.string('db') === only;
  const merged = wanted.filter(concerned);
  for (const document of merged) {
    for (const name of [field, 'db']) {
      if (document.string(name) === undefined)
        throw new ServerError('NoSuchKey', `Missing expected field "${name}"`);
    }
    // Without `drop`, do not change existing users or roles.
    if (drop || readStored(cluster.store, stored, idOf(document)) === undefined)
      save(cluster, read(document));
  }
  if (!drop) return;
  const kept = new Set(merged.map(idOf));
  const others = allStored(cluster.store, stored).filter((one) => concerned(one) && !kept.has(idOf(one)));
  if (others.length > 0) remove(cluster, others.map(read));
}

/** Called by `mongorestore` after it has restored users and roles to temporary collections. */
const mergeAuthzCollections = command({
  name: '_mergeAuthzCollections',
  ...managingAccounts,
  database: 'admin',
  audit: audited('_mergeAuthzCollections', ({ args }) => ({ db: args.get('db'), drop: args.get('drop') })),
  privileges({ body }) {
    const actions = ['createUser', 'createRole', 'grantRole', 'revokeRole'];
    if (body.get('drop') !== undefined) actions.push('dropUser', 'dropRole');
    return actions.map((action) => ({ action, database: 'admin' }));
  },
  fields: {
    _mergeAuthzCollections: 'any',
    tempUsersCollection: 'string',
    tempRolesCollection: 'string',
    db: 'string',
    drop: 'truth',
  },
  run(args, _request, cluster) {
    const { tempUsersCollection = '', tempRolesCollection = '', db = '', drop = false } = args;
    if (tempUsersCollection === '' && tempRolesCollection === '') {
      throw new ServerError(
        'BadValue',
        'Must provide at least one of "tempUsersCollection" and "tempRolescollection"',
      );
    }
    merge(users, { from: tempUsersCollection, of: db, drop }, cluster);
    merge(roles, { from: tempRolesCollection, of: db, drop }, cluster);
    return {};
  },
});

export const accountMerges = {
  _mergeAuthzCollections: mergeAuthzCollections,
} satisfies Partial<Record<AccountChange, Command>>;
