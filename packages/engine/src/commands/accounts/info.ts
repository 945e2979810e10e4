import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Account } from '../../access/accounts.ts';
import { loggedIn } from '../../access/caller.ts';
import { builtInRolesOn } from '../../access/roles.ts';
import { type StoredUser, storedRoles, storedUsers } from '../../access/stored-accounts.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { boolOf, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compileFilter } from '../../language/filter/index.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { required } from '../shared/field-builders.ts';
import type { FieldType } from '../shared/fields.ts';
import { inspecting } from '../shared/presets.ts';
import { type DescribeOptions, describePrivileges, describeRole, describeUser } from './describe.ts';
import { type AccountName, namesOf, requestedRoles, requestedUsers } from './names.ts';

/** This file contains the commands that list users and roles. */

const usersInfo = command({
  name: 'usersInfo',
  ...inspecting,
  privileges: privilegesToView,
  fields: {
    usersInfo: required(requestedUsers),
    showCredentials: 'truth',
    showPrivileges: 'truth',
    showCustomData: 'truth',
    showAuthenticationRestrictions: 'truth',
    filter: 'object',
  },
  run(args, { caller, database }, cluster) {
    const { usersInfo: requested, filter } = args;
    const stored = new Map(
      storedUsers(cluster.store).map((user) => [keyOf(user.user, user.db), withCustomData(user, args)]),
    );
    const wanted = namesOf(requested, database);
    const shown = {
      credentials: args.showCredentials ?? false,
      privileges: args.showPrivileges ?? false,
      restrictions: args.showAuthenticationRestrictions ?? false,
      restrictionsOf: restrictionsIn(cluster),
    };
    if (wanted === undefined && (shown.privileges || shown.restrictions)) {
      throw new ServerError(
        'IllegalOperation',
        'Privilege or restriction details require exact-match usersInfo queries',
      );
    }
    const matches = filter && compileFilter(filter);
    const users = withCaller(cluster.accounts.users, loggedIn(caller))
      .filter((user) =>
        wanted === undefined
          ? requested === 'everywhere' || user.database === database
          : wanted.some((one) => one.name === user.username && one.database === user.database),
      )
      .map((user) =>
        describeUser(user, stored.get(keyOf(user.username, user.database)), cluster.accounts.roles, shown),
      );
    return { users: users.filter((user) => matches?.matches(document(user)) ?? true) };
  },
});

/** Adds the user of the caller to a list of users, because the cluster does not store every user. */
function withCaller(users: readonly Account[], user: Account | undefined): readonly Account[] {
  const isUser = (one: Account) => one.username === user?.username && one.database === user.database;
  return user === undefined || users.some(isUser) ? users : [...users, user];
}

function document(object: object): RawDocument {
  return new RawDocument(encodeDocument({ ...object }));
}

function withCustomData(user: StoredUser, { showCustomData = true }: { showCustomData?: boolean }) {
  const { customData: _, ...rest } = user;
  return (showCustomData ? { ...user } : rest) as unknown as PlainObject;
}

function keyOf(name: string, database: string): string {
  return `${database}.${name}`;
}

/**
 * Returns the required privileges. Callers may view their own user without privileges. Viewing other users requires
 * `viewUser`.
 */
function privilegesToView({ body, database, caller: { user } }: CommandRequest) {
  const given = body.get('usersInfo');
  const named = given && namesOf(requestedUsers.read(given, 'usersInfo', 'usersInfo'), database);
  const own = (one: AccountName) => one.name === user?.username && one.database === user.database;
  if (named?.every(own)) return [];
  const databases = new Set(named?.map((one) => one.database) ?? [database]);
  return [...databases].map((each) => ({ action: 'viewUser', database: each, collection: '' }));
}

/** Whether to show privileges, and in which form. Values of other types count as false. */
const shownPrivileges: FieldType<boolean | 'asUserFragment'> = {
  read(value) {
    if (value.type === bsonTypes.bool) return boolOf(value);
    return value.type === bsonTypes.string && textOf(value) === 'asUserFragment' && 'asUserFragment';
  },
};

const rolesInfo = command({
  name: 'rolesInfo',
  ...inspecting,
  privileges: privilegesToViewRoles,
  fields: {
    rolesInfo: required(requestedRoles),
    showPrivileges: shownPrivileges,
    showBuiltinRoles: 'truth',
    showAuthenticationRestrictions: 'truth',
  },
  run(args, { database }, cluster) {
    const { rolesInfo: requested, showBuiltinRoles = false } = args;
    const named = namesOf(requested, database) ?? namesOn(database, cluster, showBuiltinRoles);
    const privileges = args.showPrivileges;
    const shown = {
      privileges: privileges === true,
      restrictions: args.showAuthenticationRestrictions ?? false,
      restrictionsOf: restrictionsIn(cluster),
    };
    if (privileges === 'asUserFragment') {
      return { userFragment: fragment(named, cluster) };
    }
    const roles = named.map(({ name, database: db }) =>
      describeRole({ role: name, database: db }, cluster.accounts.roles, shown),
    );
    return { roles: roles.filter((role) => role !== undefined) };
  },
});

/** Returns a function that finds the authentication restrictions of a role. */
function restrictionsIn({ store }: ClusterContext): DescribeOptions['restrictionsOf'] {
  const stored = new Map(
    storedRoles(store).map((role) => [keyOf(role.role, role.db), role.authenticationRestrictions]),
  );
  return ({ role, database }) => stored.get(keyOf(role, database));
}

function namesOn(database: string, { accounts }: ClusterContext, builtIn: boolean): AccountName[] {
  const custom = [...accounts.roles.all].filter((role) => role.database === database).map(({ role }) => role);
  return [...custom, ...(builtIn ? builtInRolesOn(database) : [])].map((name) => ({ name, database }));
}

/** Returns the fields that describe roles in the document of a user. */
function fragment(named: readonly AccountName[], { accounts: { roles } }: ClusterContext): object {
  const grants = named.map(({ name, database }) => ({ role: name, database }));
  const storedOf = (all: typeof grants) => all.map(({ role, database }) => ({ role, db: database }));
  return {
    roles: storedOf(grants),
    inheritedRoles: storedOf(roles.withInherited(grants)),
    inheritedPrivileges: describePrivileges(grants, roles),
  };
}

/** Returns the required privileges. Callers may view their own roles without privileges. */
function privilegesToViewRoles({ body, database, caller: { user } }: CommandRequest) {
  const given = body.get('rolesInfo');
  const named = given && namesOf(requestedRoles.read(given, 'rolesInfo', 'rolesInfo'), database);
  const own = (one: AccountName) =>
    user?.roles.some(({ role, database: db }) => role === one.name && db === one.database) ?? false;
  if (named?.every(own)) return [];
  const databases = new Set(named?.map((one) => one.database) ?? [database]);
  return [...databases].map((each) => ({ action: 'viewRole', database: each, collection: '' }));
}

export const accountInfoCommands: readonly Command[] = [usersInfo, rolesInfo];
