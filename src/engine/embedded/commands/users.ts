import { builtInRoles } from '../access/roles.ts';
import type { Command, CommandRequest, WireUser } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../language/raw.ts';
import { textOf, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import { command } from './define.ts';
import { describePrivileges } from './privileges.ts';

/**
 * Users and roles as a caller may see them. Users are kept by whoever administers the cluster; a query worker knows
 * none but the one that asks.
 */

interface Named {
  readonly name: string;
  readonly database: string;
}

const usersInfo = command({
  name: 'usersInfo',
  privileges: privilegesToView,
  anyMember: true,
  fields: {
    usersInfo: 'any!',
    showCredentials: 'truth',
    showPrivileges: 'truth',
    showCustomData: 'truth',
    showAuthenticationRestrictions: 'truth',
    filter: 'object',
  },
  run({ usersInfo: asked, showPrivileges = false }, { caller, database }) {
    const { user } = caller;
    if (user === undefined) return { users: [] };
    const wanted = asked && namesOf(asked, database, 'user');
    const shown =
      wanted === undefined
        ? isForAllDatabases(asked) || user.database === database
        : wanted.some((one) => one.name === user.username && one.database === user.database);
    return { users: shown ? [describeUser(user, showPrivileges)] : [] };
  },
});

/** A caller sees itself; others only with the action. */
function privilegesToView({ body, database, caller: { user } }: CommandRequest) {
  const asked = body.get('usersInfo');
  const named = asked && namesOf(asked, database, 'user');
  const own = (one: Named) => one.name === user?.username && one.database === user.database;
  if (named?.every(own)) return [];
  return [{ action: 'viewUser', database, collection: '' }];
}

function isForAllDatabases(asked: Value | undefined): boolean {
  return asked?.type === bsonTypes.object && documentOf(asked).has('forAllDBs');
}

/** None where nobody is named: `1` and `{forAllDBs: true}` ask for all. */
function namesOf(asked: Value, database: string, field: 'user' | 'role'): Named[] | undefined {
  switch (asked.type) {
    case bsonTypes.string:
      return [{ name: textOf(asked), database }];
    case bsonTypes.object:
      return isForAllDatabases(asked) ? undefined : [namedBy(documentOf(asked), field)];
    case bsonTypes.array:
      return entriesOf(asked).flatMap((entry) => namesOf(entry, database, field) ?? []);
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.double:
      return undefined;
    default:
      throw new ServerError(
        'BadValue',
        `${field === 'user' ? 'User' : 'Role'} and role names must be strings or objects`,
      );
  }
}

function namedBy(document: RawDocument, field: 'user' | 'role'): Named {
  const name = document.string(field);
  const database = document.string('db');
  if (name !== undefined && database !== undefined) return { name, database };
  throw new ServerError('BadValue', `an object that names a ${field} has the fields '${field}' and 'db'`);
}

function describeUser(user: WireUser, showPrivileges: boolean): object {
  const { username, database, roles } = user;
  const granted = roles.map(({ role, database: db }) => ({ role, db }));
  return {
    _id: `${database}.${username}`,
    user: username,
    db: database,
    roles: granted,
    mechanisms: ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
    ...(showPrivileges
      ? { inheritedRoles: granted, inheritedPrivileges: describePrivileges(user.roles) }
      : {}),
  };
}

const rolesInfo = command({
  name: 'rolesInfo',
  privileges: privilegesToViewRoles,
  anyMember: true,
  fields: {
    rolesInfo: 'any!',
    showPrivileges: 'any',
    showBuiltinRoles: 'truth',
    showAuthenticationRestrictions: 'truth',
  },
  run({ rolesInfo: asked, showPrivileges, showBuiltinRoles = false }, { database }) {
    const named = asked && namesOf(asked, database, 'role');
    const all = Object.keys(builtInRoles).map((name) => ({ name, database }));
    const wanted = named ?? (showBuiltinRoles ? all : []);
    const found = wanted.filter(({ name }) => Object.hasOwn(builtInRoles, name));
    const withPrivileges = showPrivileges !== undefined && showPrivileges.type === bsonTypes.bool;
    return { roles: found.map((role) => describeRole(role, withPrivileges)) };
  },
});

/** A caller may look at the roles that it has. */
function privilegesToViewRoles({ body, database, caller: { user } }: CommandRequest) {
  const asked = body.get('rolesInfo');
  const named = asked && namesOf(asked, database, 'role');
  const own = (one: Named) =>
    user?.roles.some(({ role, database: db }) => role === one.name && db === one.database) ?? false;
  if (named?.every(own)) return [];
  return [{ action: 'viewRole', database, collection: '' }];
}

function describeRole({ name, database }: Named, showPrivileges: boolean): object {
  const privileges = describePrivileges([{ role: name, database }]);
  return {
    role: name,
    db: database,
    isBuiltin: true,
    roles: [],
    inheritedRoles: [],
    ...(showPrivileges ? { privileges, inheritedPrivileges: privileges } : {}),
  };
}

export const userCommands: readonly Command[] = [usersInfo, rolesInfo];
