import { nested } from '../subject.ts';
import { UUID } from '../values.ts';
import { restored } from './command-templates.ts';
import { catalogTemplates } from './nested-catalog.ts';
import { collation, type NestedTemplate } from './nested-template.ts';

/** Documents in arguments of commands. Each of their fields is tested as an argument, too. */

const admin = { $db: 'admin' };

const optionsOfUpdate = {
  multi: false,
  upsert: false,
  upsertSupplied: false,
  arrayFilters: [],
  collation: { locale: 'en' },
  hint: '_id_',
  sampleId: UUID,
};

const writes: readonly NestedTemplate[] = [
  {
    of: 'update',
    command: {
      update: 'probe',
      updates: nested([
        nested({
          q: { _id: 'absent' },
          u: { $set: { a: 1 } },
          ...optionsOfUpdate,
          allowShardKeyUpdatesWithoutFullShardKeyInQuery: false,
        }),
      ]),
    },
  },
  {
    of: 'update',
    command: {
      update: 'probe',
      updates: nested([
        nested({ q: { _id: 'absent' }, u: [{ $set: { a: 1 } }], c: { x: 1 }, sort: { a: 1 } }),
      ]),
    },
  },
  {
    of: 'delete',
    after: restored,
    command: {
      delete: 'probe',
      deletes: nested([
        nested({ q: { _id: 'absent' }, limit: 1, collation: { locale: 'en' }, hint: '_id_', sampleId: UUID }),
      ]),
    },
  },
  { of: 'insert', command: { insert: 'written', documents: nested([{}]) } },
  {
    of: 'insert',
    command: {
      insert: 'written',
      documents: [{}],
      stmtIds: nested([1]),
      ...{ lsid: { id: UUID }, txnNumber: 9n },
    },
  },
  {
    of: 'bulkWrite',
    command: {
      bulkWrite: 1,
      ops: nested([
        nested({ insert: 0, document: {} }),
        nested({
          update: 0,
          filter: { _id: 'absent' },
          updateMods: { $set: { a: 1 } },
          ...optionsOfUpdate,
        }),
        nested({
          update: 0,
          filter: { _id: 'absent' },
          updateMods: [{ $set: { a: 1 } }],
          constants: {},
          sort: { a: 1 },
        }),
        nested({
          delete: 0,
          filter: { _id: 'absent' },
          multi: false,
          collation: { locale: 'en' },
          hint: '_id_',
          sampleId: UUID,
        }),
      ]),
      nsInfo: nested([nested({ ns: 'test.written', encryptionInformation: {} })]),
      cursor: nested({ batchSize: 1 }),
      ...admin,
    },
  },
  {
    of: 'findAndModify',
    command: {
      findAndModify: 'probe',
      query: { _id: 'absent' },
      update: { $set: { 'c.$[x]': 1 } },
      arrayFilters: nested([{ x: 1 }]),
    },
  },
];

const reads: readonly NestedTemplate[] = [
  { of: 'find', command: { find: 'probe', collation } },
  {
    of: 'find',
    command: {
      find: 'probe',
      hint: nested({ _id: 1 }),
      sort: nested({ a: 1 }),
      projection: nested({ a: 1 }),
      let: nested({ x: 1 }),
    },
  },
  { of: 'find', command: { find: 'probe', sort: nested({ a: nested({ $meta: 'textScore' }) }) } },
  {
    of: 'aggregate',
    command: { aggregate: 'probe', pipeline: nested([{}]), cursor: nested({ batchSize: 1 }) },
  },
  {
    of: 'mapReduce',
    command: {
      mapReduce: 'probe',
      map: 'function(){}',
      reduce: 'function(){}',
      out: nested({ replace: 'written', db: 'test' }),
    },
  },
  {
    of: 'mapReduce',
    command: {
      mapReduce: 'probe',
      map: 'function(){}',
      reduce: 'function(){}',
      out: nested({ merge: 'written', nonAtomic: true, sharded: false }),
    },
  },
  {
    of: 'mapReduce',
    command: { mapReduce: 'probe', map: 'function(){}', reduce: 'function(){}', out: nested({ inline: 1 }) },
  },
  {
    of: 'planCacheSetFilter',
    command: { planCacheSetFilter: 'probe', query: { a: 1 }, indexes: nested([{ _id: 1 }]) },
    after: [{ planCacheClearFilters: 'probe' }],
  },
  { of: 'killCursors', command: { killCursors: 'probe', cursors: nested([1n]) } },
  { of: 'explain', command: { explain: nested({ find: 'probe' }), verbosity: 'queryPlanner' } },
];

const administration: readonly NestedTemplate[] = [
  {
    of: 'createRole',
    command: {
      createRole: 'r',
      privileges: nested([
        nested({ resource: nested({ db: 'test', collection: 'probe' }), actions: nested(['find']) }),
      ]),
      roles: nested([nested({ role: 'read', db: 'test' })]),
      authenticationRestrictions: nested([
        nested({ clientSource: nested(['127.0.0.1']), serverAddress: ['127.0.0.1'] }),
      ]),
    },
    after: [{ dropAllRolesFromDatabase: 1 }],
  },
  {
    of: 'createRole',
    command: {
      createRole: 'r',
      privileges: [nested({ resource: nested({ cluster: true }), actions: [] })].slice(1),
      roles: nested(['read']),
    },
    after: [{ dropAllRolesFromDatabase: 1 }],
  },
  {
    of: 'createUser',
    command: {
      createUser: 'u',
      pwd: 'secret',
      roles: nested([nested({ role: 'read', db: 'test' })]),
      mechanisms: nested(['SCRAM-SHA-256']),
      authenticationRestrictions: nested([nested({ clientSource: ['127.0.0.1'] })]),
    },
    after: [{ dropAllUsersFromDatabase: 1 }],
  },
  { of: 'usersInfo', command: { usersInfo: nested({ user: 'u', db: 'test' }) } },
  { of: 'usersInfo', command: { usersInfo: nested(['u']) } },
  { of: 'usersInfo', command: { usersInfo: nested({ forAllDBs: true }) } },
  { of: 'rolesInfo', command: { rolesInfo: nested({ role: 'read', db: 'test' }) } },
  { of: 'killAllSessions', command: { killAllSessions: nested([nested({ user: 'u', db: 'test' })]) } },
  {
    of: 'killAllSessionsByPattern',
    command: { killAllSessionsByPattern: nested([nested({ lsid: nested({ id: UUID }) })]) },
  },
  {
    of: 'killAllSessionsByPattern',
    command: {
      killAllSessionsByPattern: nested([
        nested({
          users: nested([nested({ user: 'u', db: 'test' })]),
          roles: nested([nested({ role: 'read', db: 'test' })]),
        }),
      ]),
    },
  },
  ...['endSessions', 'refreshSessions', 'killSessions'].map((of) => ({
    of,
    command: { [of]: nested([nested({ id: UUID })]) },
  })),
  {
    of: 'setDefaultRWConcern',
    command: {
      setDefaultRWConcern: 1,
      defaultReadConcern: nested({ level: 'local' }),
      defaultWriteConcern: nested({ w: 1, wtimeout: 0, j: false }),
      ...admin,
    },
    after: [{ setDefaultRWConcern: 1, defaultReadConcern: {}, ...admin }],
  },
  {
    of: 'getParameter',
    command: { getParameter: nested({ showDetails: true, allParameters: true, setAt: 'runtime' }), ...admin },
  },
  { of: 'getClusterParameter', command: { getClusterParameter: nested(['changeStreamOptions']), ...admin } },
  {
    of: 'setQuerySettings',
    command: {
      setQuerySettings: { find: 'probe', filter: { a: 1 }, $db: 'test' },
      settings: nested({
        indexHints: nested([
          nested({ ns: nested({ db: 'test', coll: 'probe' }), allowedIndexes: nested(['_id_']) }),
        ]),
        queryFramework: 'classic',
        reject: false,
        comment: 1,
      }),
      ...admin,
    },
    after: [{ removeQuerySettings: { find: 'probe', filter: { a: 1 }, $db: 'test' }, ...admin }],
  },
  {
    of: 'validateDBMetadata',
    command: {
      validateDBMetadata: 1,
      apiParameters: nested({ version: '1', strict: true, deprecationErrors: true }),
    },
  },
  { of: 'setFeatureCompatibilityVersion', command: { setFeatureCompatibilityVersion: '8.0', ...admin } },
  {
    of: 'applyOps',
    command: {
      applyOps: nested([nested({ op: 'i', ns: 'test.written', o: nested({ _id: 1 }), ui: UUID })]),
      ...admin,
    },
  },
  { of: 'applyOps', command: { applyOps: [nested({ op: 'n', ns: '', o: {} })], ...admin } },
  {
    of: 'createSearchIndexes',
    command: {
      createSearchIndexes: 'probe',
      indexes: nested([
        nested({
          name: 's',
          type: 'search',
          definition: nested({
            mappings: nested({ dynamic: true, fields: {} }),
            analyzer: 'lucene.standard',
            searchAnalyzer: 'lucene.standard',
            storedSource: true,
            synonyms: [],
            numPartitions: 1,
          }),
        }),
      ]),
    },
    after: [{ dropSearchIndex: 'probe', name: 's' }],
  },
];

export const nestedTemplates: readonly NestedTemplate[] = [
  ...catalogTemplates,
  ...writes,
  ...reads,
  ...administration,
];
