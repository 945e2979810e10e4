import type { PlainObject } from '@portolan/foundation/plain-object';
import { Binary } from 'bson';
import type { Privilege } from '../../access/privilege.ts';
import { type StoredGrant, storedGrantOf, storedUsers } from '../../access/stored-accounts.ts';
import { isAbsent } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited, auditedUser, picked } from '../../observe/audited.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { command } from '../shared/define.ts';
import { required } from '../shared/field-builders.ts';
import { onDatabase } from '../shared/namespace.ts';
import { credentials, inspecting, managingAccounts } from '../shared/presets.ts';
import type { AccountChange } from './changes.ts';
import { credentialsOf, mechanismList, mechanismsIn } from './credentials.ts';
import { type GivenName, namesOf, roleList } from './names.ts';
import { authenticationRestrictions, restrictionsIn } from './restrictions.ts';
import {
  checkRolesExist,
  findUser,
  removeUsers,
  requireUser,
  saveUser,
  withGrants,
  withoutGrants,
} from './store.ts';

/** This file contains the commands on users. They apply to clusters whose accounts the service does not manage. */

const EXTERNAL = '$external';

const userFields = {
  pwd: 'string',
  customData: 'object',
  digestPassword: 'truth',
  authenticationRestrictions,
  mechanisms: mechanismList,
} as const;

const createUser = command({
  name: 'createUser',
  ...managingAccounts,
  audit: auditedUser('createUser', 'customData', 'roles'),
  privileges: (request) => [...onDatabase('createUser')(request), ...privilegesToGrant(request)],
  fields: { createUser: 'string!', roles: required(roleList), ...userFields },
  run(args, { database }, cluster) {
    const { createUser: user, pwd, customData, digestPassword: digest = true } = args;
    checkNewUser(user, database, pwd);
    const roles = grantsIn(args.roles, database, cluster);
    const mechanisms = mechanismsIn(args.mechanisms, digest);
    if (findUser(cluster, user, database) !== undefined || isManaged(cluster, user, database)) {
      throw new ServerError('UserAlreadyExists', `User "${user}@${database}" already exists`);
    }
    const password = { username: user, password: pwd ?? '', digest, mechanisms };
    saveUser(cluster, {
      userId: new Binary(asUuid(cluster.random.bytes(16)), Binary.SUBTYPE_UUID),
      user,
      db: database,
      credentials: database === EXTERNAL ? { external: true } : credentialsOf(password, cluster),
      customData,
      roles,
      ...restrictionsIn(args),
    });
    return {};
  },
});

/** Converts random bytes to a version 4 UUID. */
function asUuid(bytes: Buffer): Buffer {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

function checkNewUser(user: string, database: string, pwd: string | undefined): void {
  const badValue = (message: string) => new ServerError('BadValue', message);
  if (user === '') throw badValue("User document needs 'user' field to be non-empty");
  if (database === 'local') throw badValue('Cannot create users in the local database');
  if (database === EXTERNAL && pwd !== undefined) {
    throw badValue("Cannot set the password for users defined on the '$external' database");
  }
  if (database !== EXTERNAL && pwd === undefined) {
    throw badValue(
      "Must provide a 'pwd' field for all user documents, except those with '$external' as the user's source db",
    );
  }
  if (pwd === '') throw badValue('Password cannot be empty');
}

/** True if the service or the operator of the engine created the user. */
function isManaged({ accounts }: ClusterContext, user: string, database: string): boolean {
  return accounts.users.some((one) => one.username === user && one.database === database);
}

const updateUser = command({
  name: 'updateUser',
  ...managingAccounts,
  audit: audited('updateUser', ({ args, database: db }) => ({
    user: args.get('updateUser'),
    db,
    passwordChanged: args.has('pwd'),
    ...picked(args, ['customData', 'roles']),
  })),
  privileges: privilegesToUpdate,
  fields: { updateUser: 'string!', roles: roleList, ...userFields },
  run(args, request, cluster) {
    checkOwnChange(request, cluster);
    const { database } = request;
    const { updateUser: name, pwd, customData, roles, digestPassword: digest = true } = args;
    const named = args.mechanisms;
    if (
      [pwd, customData, roles, named, args.authenticationRestrictions].every((each) => each === undefined)
    ) {
      throw new ServerError('BadValue', 'Must specify at least one field to update in updateUser');
    }
    if (pwd === '') throw new ServerError('BadValue', 'Password cannot be empty');
    const mechanisms = mechanismsIn(named, digest);
    const granted = roles && grantsIn(roles, database, cluster);
    const before = requireUser(cluster, name, database);
    saveUser(cluster, {
      ...before,
      ...(pwd === undefined
        ? withMechanisms(before.credentials, named)
        : { credentials: credentialsOf({ username: name, password: pwd, digest, mechanisms }, cluster) }),
      ...(customData === undefined ? {} : { customData }),
      ...(granted === undefined ? {} : { roles: granted }),
      ...restrictionsIn(args),
    });
    return {};
  },
});

/** Changes the mechanisms of a user. Without a new password, mechanisms can only be removed. */
function withMechanisms<T extends PlainObject>(credentials: T, named: readonly string[] | undefined) {
  if (named === undefined) return {};
  if (named.some((mechanism) => credentials[mechanism] === undefined)) {
    throw new ServerError('BadValue', 'mechanisms field must be a subset of previously set mechanisms');
  }
  const kept = Object.entries(credentials).filter(([mechanism]) => named.includes(mechanism));
  return { credentials: Object.fromEntries(kept) as T };
}

function isOwn({ body, database, caller: { user } }: CommandRequest): boolean {
  return user?.database === database && user.username === body.string('updateUser');
}

/**
 * Returns the privileges that the caller needs to change the user. Changes of the caller's own password or data are
 * checked later, by `checkOwnChange`.
 */
function privilegesToUpdate(request: CommandRequest): Privilege[] {
  const { body, database } = request;
  const own = isOwn(request);
  const needed = (field: string, action: string, ofOwn: boolean): Privilege[] =>
    body.has(field) && !(own && ofOwn) ? [{ action, database, collection: '' }] : [];
  return [
    ...needed('pwd', 'changePassword', true),
    ...needed('customData', 'changeCustomData', true),
    ...needed('authenticationRestrictions', 'setAuthenticationRestriction', false),
    ...needed('roles', 'revokeRole', false),
    ...(body.has('roles') ? privilegesToGrant(request) : []),
  ];
}

/**
 * Throws unless the caller has one of the two actions that allow users to change their own password or data.
 */
function checkOwnChange(request: CommandRequest, { accounts }: ClusterContext): void {
  if (!isOwn(request)) return;
  const { body, database, caller } = request;
  const may = (action: string) => accounts.allows(caller.user, [{ action, database, collection: '' }]);
  const password = !body.has('pwd') || may('changeOwnPassword') || may('changePassword');
  const data = !body.has('customData') || may('changeOwnCustomData') || may('changeCustomData');
  if (password && data) return;
  throw new ServerError('Unauthorized', `not authorized on ${database} to execute command updateUser`);
}

const dropUser = command({
  name: 'dropUser',
  ...managingAccounts,
  audit: auditedUser('dropUser'),
  privileges: onDatabase('dropUser'),
  fields: { dropUser: 'string!' },
  run({ dropUser: name }, { database }, cluster) {
    const found = findUser(cluster, name, database);
    if (found === undefined) throw new ServerError('UserNotFound', `User '${name}@${database}' not found`);
    removeUsers(cluster, [found]);
    return {};
  },
});

const dropAllUsersFromDatabase = command({
  name: 'dropAllUsersFromDatabase',
  ...managingAccounts,
  audit: audited('dropAllUsersFromDatabase', ({ database: db }) => ({ db })),
  privileges: onDatabase('dropUser'),
  fields: { dropAllUsersFromDatabase: 'any' },
  run(_args, { database }, cluster) {
    const removed = storedUsers(cluster.store).filter(({ db }) => db === database);
    if (removed.length > 0) removeUsers(cluster, removed);
    return { n: removed.length };
  },
});

const grantRolesToUser = command({
  name: 'grantRolesToUser',
  ...managingAccounts,
  audit: auditedUser('grantRolesToUser', 'roles'),
  privileges: privilegesToGrant,
  fields: { grantRolesToUser: 'string!', roles: required(roleList) },
  run({ grantRolesToUser: name, roles }, { database }, cluster) {
    const added = grantsIn(requireSome(roles, 'roles', 'grantRolesToUser'), database, cluster);
    const before = requireUser(cluster, name, database);
    saveUser(cluster, { ...before, roles: withGrants(before.roles, added) });
    return {};
  },
});

const revokeRolesFromUser = command({
  name: 'revokeRolesFromUser',
  ...managingAccounts,
  audit: auditedUser('revokeRolesFromUser', 'roles'),
  privileges: privilegesToRevoke,
  fields: { revokeRolesFromUser: 'string!', roles: required(roleList) },
  run({ revokeRolesFromUser: name, roles }, { database }, cluster) {
    const removed = grantsIn(requireSome(roles, 'roles', 'revokeRolesFromUser'), database, cluster);
    const before = requireUser(cluster, name, database);
    saveUser(cluster, { ...before, roles: withoutGrants(before.roles, removed) });
    return {};
  },
});

export function requireSome<T>(list: readonly T[], field: string, name: string): readonly T[] {
  if (list.length > 0) return list;
  throw new ServerError('BadValue', `${name} command requires a non-empty "${field}" array`);
}

export function grantsIn(
  roles: readonly GivenName[],
  database: string,
  cluster: ClusterContext,
): StoredGrant[] {
  const grants = (namesOf(roles, database) ?? []).map((role) =>
    storedGrantOf({ role: role.name, database: role.database }),
  );
  checkRolesExist(cluster, grants);
  return grants;
}

/** Returns the required privileges. Granting a role requires the privilege `grantRole` on the role's database. */
export function privilegesToGrant(request: CommandRequest): Privilege[] {
  return onRoleDatabases('grantRole', request);
}

export function privilegesToRevoke(request: CommandRequest): Privilege[] {
  return onRoleDatabases('revokeRole', request);
}

function onRoleDatabases(action: string, { name, body, database }: CommandRequest): Privilege[] {
  const given = body.get('roles');
  const roles = given === undefined || isAbsent(given) ? [] : roleList.read(given, 'roles', name);
  return roles.map((role) => ({ action, database: role.database ?? database, collection: '' }));
}

/** Has no effect: accounts are not cached. */
export const invalidateUserCache = command({
  name: 'invalidateUserCache',
  ...inspecting,
  database: 'admin',
  secrets: credentials,
  privileges: () => [{ action: 'invalidateUserCache' }],
  fields: { invalidateUserCache: 'any' },
  run: () => ({}),
});

export const userChanges = {
  createUser,
  updateUser,
  dropUser,
  dropAllUsersFromDatabase,
  grantRolesToUser,
  revokeRolesFromUser,
} satisfies Partial<Record<AccountChange, Command>>;
