import type { CommandRequest } from '../commands/context/request.ts';

/** Which commands the audit stream tells of, under which name, and what of them. */

interface Audited {
  readonly atype: string;
  readonly params: (request: AuditedRequest) => readonly object[];
}

export interface AuditedRequest {
  readonly database: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const one =
  (make: (request: AuditedRequest) => object) =>
  (request: AuditedRequest): readonly object[] => [make(request)];

const user = (name: string, ...fields: string[]) =>
  one(({ args, database: db }) => ({ user: args[name], db, ...picked(args, fields) }));
const role = (name: string, ...fields: string[]) =>
  one(({ args, database: db }) => ({ role: args[name], db, ...picked(args, fields) }));
const namespace = (name: string) => one(({ args, database }) => ({ ns: `${database}.${args[name]}` }));

function picked(args: AuditedRequest['args'], fields: readonly string[]): object {
  return Object.fromEntries(fields.filter((field) => field in args).map((field) => [field, args[field]]));
}

const table: Readonly<Record<string, Audited>> = {
  create: { atype: 'createCollection', params: namespace('create') },
  createIndexes: { atype: 'createIndex', params: indexesIn },
  createRole: { atype: 'createRole', params: role('createRole', 'roles', 'privileges') },
  createUser: { atype: 'createUser', params: user('createUser', 'customData', 'roles') },
  drop: { atype: 'dropCollection', params: namespace('drop') },
  dropAllRolesFromDatabase: {
    atype: 'dropAllRolesFromDatabase',
    params: one(({ database: db }) => ({ db })),
  },
  dropAllUsersFromDatabase: {
    atype: 'dropAllUsersFromDatabase',
    params: one(({ database: db }) => ({ db })),
  },
  dropDatabase: { atype: 'dropDatabase', params: one(({ database: ns }) => ({ ns })) },
  dropIndexes: {
    atype: 'dropIndex',
    params: one(({ args, database }) => ({ ns: `${database}.${args.dropIndexes}`, indexName: args.index })),
  },
  dropRole: { atype: 'dropRole', params: role('dropRole') },
  dropUser: { atype: 'dropUser', params: user('dropUser') },
  enableSharding: { atype: 'enableSharding', params: one(({ args }) => ({ ns: args.enableSharding })) },
  getClusterParameter: {
    atype: 'getClusterParameter',
    params: one(({ args }) => ({ requestedClusterServerParameters: [args.getClusterParameter].flat() })),
  },
  grantPrivilegesToRole: {
    atype: 'grantPrivilegesToRole',
    params: role('grantPrivilegesToRole', 'privileges'),
  },
  grantRolesToRole: { atype: 'grantRolesToRole', params: role('grantRolesToRole', 'roles') },
  grantRolesToUser: { atype: 'grantRolesToUser', params: user('grantRolesToUser', 'roles') },
  logRotate: { atype: 'rotateLog', params: one(() => ({ pid: process.pid, osInfo: {} })) },
  renameCollection: {
    atype: 'renameCollection',
    params: one(({ args }) => ({ old: args.renameCollection, new: args.to })),
  },
  revokePrivilegesFromRole: {
    atype: 'revokePrivilegesFromRole',
    params: role('revokePrivilegesFromRole', 'privileges'),
  },
  revokeRolesFromRole: { atype: 'revokeRolesFromRole', params: role('revokeRolesFromRole', 'roles') },
  revokeRolesFromUser: { atype: 'revokeRolesFromUser', params: user('revokeRolesFromUser', 'roles') },
  setClusterParameter: {
    atype: 'setClusterParameter',
    params: one(({ args }) => ({ updatedClusterServerParameter: args.setClusterParameter })),
  },
  shardCollection: {
    atype: 'shardCollection',
    params: one(({ args }) => ({
      ns: args.shardCollection,
      key: args.key,
      options: { unique: args.unique === true },
    })),
  },
  updateRole: { atype: 'updateRole', params: role('updateRole', 'roles', 'privileges') },
  updateUser: {
    atype: 'updateUser',
    params: one(({ args, database: db }) => ({
      user: args.updateUser,
      db,
      passwordChanged: 'pwd' in args,
      ...picked(args, ['customData', 'roles']),
    })),
  },
};

function indexesIn({ args, database }: AuditedRequest): object[] {
  const { indexes } = args;
  if (!Array.isArray(indexes)) return [];
  return indexes.map((index) => ({
    ns: `${database}.${args.createIndexes}`,
    indexName: index?.name,
    indexSpec: index,
    indexBuildState: 'IndexBuildSucceeded',
  }));
}

/** The messages that a command leaves; none for those that the stream does not tell of. */
export function auditedAs(name: string, request: CommandRequest): Array<{ atype: string; param: object }> {
  const audited = Object.hasOwn(table, name) ? table[name] : undefined;
  if (audited === undefined) return [];
  const { atype, params } = audited;
  return params({ database: request.database, args: argumentsOf(request) }).map((param) => ({
    atype,
    param,
  }));
}

const secrets: ReadonlySet<string> = new Set([
  'pwd',
  'payload',
  'key',
  'speculativeAuthenticate',
  'digestPassword',
]);
const hidden: ReadonlySet<string> = new Set(['lsid', '$clusterTime', '$db', '$readPreference', 'txnNumber']);

/** Without what nobody may see, and without what is not about the command. */
export function argumentsOf({ name, body }: CommandRequest): Record<string, unknown> {
  const entries = Object.entries(body.toObject()).filter(([field]) => !hidden.has(field));
  const aboutAccounts = /User|Role|sasl|authenticate/.test(name);
  return Object.fromEntries(
    entries.map(([field, value]) => [field, aboutAccounts && secrets.has(field) ? 'xxx' : value]),
  );
}
