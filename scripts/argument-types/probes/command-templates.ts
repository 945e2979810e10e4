import type { Shape } from '../subject.ts';

/** The parts that a command needs besides the field under test. */

export interface Template {
  /** The required fields. If the field with the name of the command is not among them, its value is `probe` or 1. */
  readonly base?: Shape;
  /** For each field under test, the other fields that it requires. */
  readonly beside?: Readonly<Record<string, Shape>>;
  /** Commands that restore the initial state if the command succeeds. */
  readonly after?: readonly Shape[];
}

const admin = { $db: 'admin' };

/** Creates the collection that all commands use. */
export const probe: readonly Shape[] = [
  { insert: 'probe', documents: [{ _id: 1, a: 1, b: 'x', c: [1, 2], d: new Date(1_700_000_000_000) }] },
  {
    createIndexes: 'probe',
    indexes: [
      { key: { geo: '2d' }, name: 'geo' },
      { key: { b: 'text' }, name: 'text' },
    ],
  },
];

export const restored: readonly Shape[] = [{ drop: 'probe' }, ...probe];

const roleRemoved: readonly Shape[] = [{ dropAllRolesFromDatabase: 1 }];
const userRemoved: readonly Shape[] = [{ dropAllUsersFromDatabase: 1 }];
const absentUser = { base: { roles: ['read'] } };
const created: readonly Shape[] = [{ dropDatabase: 1, $db: 'made' }];
const unlocked: readonly Shape[] = [{ fsyncUnlock: 1, ...admin }];
const filters = { base: { query: {} } };
const key = { a: 1 };

export const commandTemplates: Readonly<Record<string, Template>> = {
  aggregate: { base: { aggregate: 'probe', pipeline: [], cursor: {} } },
  appendOplogNote: { base: { data: {} } },
  applyOps: { base: { applyOps: [] } },
  autoCompact: { base: { autoCompact: false } },
  bulkWrite: { base: { ops: [{ insert: 0, document: {} }], nsInfo: [{ ns: 'test.written' }] } },
  cloneCollectionAsCapped: {
    base: { cloneCollectionAsCapped: 'probe', toCollection: 'capped', size: 4096 },
    after: [{ drop: 'capped' }, { drop: 'a' }, { drop: '$a' }],
  },
  collMod: { after: restored },
  commitTransaction: {},
  compactStructuredEncryptionData: { base: { compactionTokens: {} } },
  configureCollectionBalancing: { base: { configureCollectionBalancing: 'test.probe' } },
  configureQueryAnalyzer: {
    base: { configureQueryAnalyzer: 'test.probe', mode: 'full', samplesPerSecond: 1 },
  },
  convertToCapped: { base: { size: 4096 }, after: restored },
  coordinateCommitTransaction: { base: { participants: [] } },
  create: {
    base: { create: 'made', $db: 'made' },
    beside: {
      max: { capped: true, size: 4096 },
      size: { capped: true },
      pipeline: { viewOn: 'probe' },
      expireAfterSeconds: { timeseries: { timeField: 't' } },
    },
    after: created,
  },
  createIndexes: {
    base: { createIndexes: 'indexed', indexes: [{ key, name: 'a_1' }] },
    after: [{ dropIndexes: 'indexed', index: '*' }],
  },
  createRole: { base: { createRole: 'r', privileges: [], roles: [] }, after: roleRemoved },
  createSearchIndexes: {
    base: { indexes: [{ name: 's', definition: { mappings: { dynamic: true } } }] },
    after: [{ dropSearchIndex: 'probe', name: 's' }],
  },
  createUser: { base: { createUser: 'u', pwd: 'secret', roles: [] }, after: userRemoved },
  dataSize: { base: { dataSize: 'test.probe' } },
  delete: { base: { deletes: [{ q: { _id: 'absent' }, limit: 1 }] } },
  distinct: { base: { key: 'a' } },
  drop: { base: { drop: 'absent' } },
  dropAllRolesFromDatabase: {},
  dropConnections: { base: { hostAndPort: ['localhost:1'] } },
  dropDatabase: { base: { dropDatabase: 1, $db: 'absent' } },
  dropIndexes: { base: { dropIndexes: 'indexed', index: '*' } },
  dropRole: { base: { dropRole: 'r' } },
  dropSearchIndex: { base: { name: 'absent' } },
  dropUser: { base: { dropUser: 'u' } },
  enableSharding: { base: { enableSharding: 'test' } },
  endSessions: { base: { endSessions: [] } },
  explain: { base: { explain: { find: 'probe' } } },
  filemd5: { base: { filemd5: 1, root: 'fs' } },
  find: { beside: { awaitData: { tailable: true }, max: { hint: { _id: 1 } }, min: { hint: { _id: 1 } } } },
  findAndModify: {
    base: { query: { _id: 'absent' }, update: { $set: { a: 1 } } },
    beside: { remove: { update: null } },
    after: [{ delete: 'probe', deletes: [{ q: { _id: 'absent' }, limit: 1 }] }],
  },
  fsync: { after: unlocked },
  getClusterParameter: { base: { getClusterParameter: '*' } },
  getLog: { base: { getLog: 'global' } },
  getMore: { base: { getMore: 1n, collection: 'probe' } },
  getParameter: { base: { getParameter: '*' } },
  grantPrivilegesToRole: { base: { grantPrivilegesToRole: 'r', privileges: [] } },
  grantRolesToRole: { base: { grantRolesToRole: 'r', roles: [] } },
  grantRolesToUser: { base: { grantRolesToUser: 'u', ...absentUser.base } },
  insert: { base: { insert: 'written', documents: [{}] } },
  killAllSessions: { base: { killAllSessions: [] } },
  killAllSessionsByPattern: { base: { killAllSessionsByPattern: [] } },
  killCursors: { base: { cursors: [] } },
  killOp: { base: { op: 123_456 } },
  killSessions: { base: { killSessions: [] } },
  logApplicationMessage: { base: { logApplicationMessage: 'm' } },
  logRotate: { base: { logRotate: 'server' } },
  mapReduce: { base: { map: 'function(){}', reduce: 'function(){}', out: { inline: 1 } } },
  mergeChunks: { base: { mergeChunks: 'test.probe', bounds: [{ _id: 0 }, { _id: 1 }] } },
  moveChunk: { base: { moveChunk: 'test.probe', find: { _id: 0 }, to: 'set-1' } },
  movePrimary: { base: { movePrimary: 'test', to: 'set-1' } },
  moveRange: { base: { moveRange: 'test.probe', min: { _id: 0 }, toShard: 'set-1' } },
  planCacheClear: filters,
  planCacheClearFilters: filters,
  planCacheSetFilter: {
    base: { query: { a: 1 }, indexes: [{ _id: 1 }] },
    after: [{ planCacheClearFilters: 'probe' }],
  },
  profile: { base: { profile: 0 }, after: [{ profile: 0, slowms: 100, sampleRate: 1, filter: 'unset' }] },
  refineCollectionShardKey: { base: { refineCollectionShardKey: 'test.probe', key } },
  refreshSessions: { base: { refreshSessions: [] } },
  removeQuerySettings: { base: { removeQuerySettings: { find: 'probe', $db: 'test' } } },
  renameCollection: {
    base: { renameCollection: 'test.probe', to: 'test.renamed' },
    after: [{ drop: 'renamed' }, ...restored],
  },
  replSetFreeze: { base: { replSetFreeze: 0 } },
  replSetMaintenance: { base: { replSetMaintenance: 0 } },
  replSetResizeOplog: { base: { size: 1000 } },
  replSetStepDown: { base: { replSetStepDown: 0 } },
  replSetSyncFrom: { base: { replSetSyncFrom: 'nowhere:1' } },
  reshardCollection: { base: { reshardCollection: 'test.probe', key } },
  revokePrivilegesFromRole: { base: { revokePrivilegesFromRole: 'r', privileges: [] } },
  revokeRolesFromRole: { base: { revokeRolesFromRole: 'r', roles: [] } },
  revokeRolesFromUser: { base: { revokeRolesFromUser: 'u', roles: [] } },
  rolesInfo: { base: { rolesInfo: 'read' } },
  setClusterParameter: {
    base: {
      setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 'off' } } },
    },
  },
  setDefaultRWConcern: {
    base: { defaultReadConcern: { level: 'local' } },
    after: [{ setDefaultRWConcern: 1, defaultReadConcern: {}, ...admin }],
  },
  setFeatureCompatibilityVersion: { base: { setFeatureCompatibilityVersion: '8.0', confirm: true } },
  setIndexCommitQuorum: { base: { setIndexCommitQuorum: 'probe', indexNames: ['a_1'], commitQuorum: 1 } },
  setParameter: { beside: { setParameter: { notablescan: false } } },
  setQuerySettings: {
    base: {
      setQuerySettings: { find: 'probe', filter: { a: 1 }, $db: 'test' },
      settings: { queryFramework: 'classic' },
    },
    after: [{ removeQuerySettings: { find: 'probe', filter: { a: 1 }, $db: 'test' }, ...admin }],
  },
  setZoneKeyRanges: { base: { setZoneKeyRanges: 'test.probe', ranges: [] } },
  setUserWriteBlockMode: { base: { global: false } },
  shardCollection: { base: { shardCollection: 'test.written', key } },
  split: { base: { split: 'test.written', middle: { _id: 0 } } },
  addShardToZone: { base: { addShardToZone: 'set-0', zone: 'z' } },
  removeShardFromZone: { base: { removeShardFromZone: 'set-0', zone: 'z' } },
  balancerCollectionStatus: { base: { balancerCollectionStatus: 'test.probe' } },
  unshardCollection: { base: { unshardCollection: 'test.written' } },
  update: { base: { updates: [{ q: { _id: 'absent' }, u: { $set: { a: 1 } } }] } },
  updateRole: { base: { updateRole: 'r', roles: [] } },
  updateSearchIndex: { base: { name: 'absent', definition: { mappings: { dynamic: true } } } },
  updateUser: { base: { updateUser: 'u', roles: [] } },
  updateZoneKeyRange: {
    base: { updateZoneKeyRange: 'test.probe', min: { _id: 0 }, max: { _id: 1 }, zone: 'z' },
  },
  usersInfo: { base: { usersInfo: 1 } },
  validateDBMetadata: { base: { apiParameters: { version: '1', strict: true } } },
};
