import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Binary, Decimal128, type Document, Double, Long, MaxKey, MinKey, Timestamp } from 'bson';
import { TestCluster } from '../worker/testing.ts';

/**
 * This file tests rules of the server for edge cases of commands and stages. Each case has the expected code, or 0
 * for success.
 */

const cluster = new TestCluster();
cluster.run({ insert: 'ships', documents: [{ _id: 1, name: 'Vega', holds: [1, 2], port: 'Riga', crew: 3 }] });
cluster.run({ create: 'masts', viewOn: 'ships', pipeline: [] });
cluster.run({ create: 'tides', timeseries: { timeField: 'at', metaField: 'of' } });
cluster.run({ create: 'log', clusteredIndex: { key: { _id: 1 }, unique: true } });
after(() => cluster.remove());

/** A user with all privileges. */
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

function codeOf(command: Document): number {
  const { code, writeErrors } = cluster.run(command, { user: root });
  return code ?? writeErrors?.[0]?.code ?? 0;
}

const rows = (command: Document): Document[] => cluster.run(command).cursor.firstBatch;
const pipeline = (stage: Document, more: Document = {}) => ({
  ...{ aggregate: 'ships', pipeline: [stage], cursor: {} },
  ...more,
});
const index = (key: Document, options: Document = {}) => ({
  createIndexes: 'wild',
  indexes: [{ key, name: 'i', ...options }],
});
const admin = { $db: 'admin' };
const near = { $near: [0, 0] };

const at = new Timestamp({ t: 1, i: 1 });
const signature = { hash: new Binary(Buffer.alloc(20)), keyId: 0 };
const far = new Timestamp({ t: 0xffff_ffff, i: 1 });

const cases: ReadonlyArray<[what: string, command: Document, code: number]> = [
  ['a cluster time', { find: 'a', $clusterTime: { clusterTime: at, signature } }, 0],
  ['a cluster time without a signature', { find: 'a', $clusterTime: { clusterTime: at } }, 0],
  ['a cluster time that is a timestamp', { find: 'a', $clusterTime: at }, 14],
  ['a cluster time of another type', { find: 'a', $clusterTime: { clusterTime: {} } }, 14],
  ['a cluster time without its time', { find: 'a', $clusterTime: { signature } }, 40414],
  [
    'a cluster time with a further field',
    { find: 'a', $clusterTime: { clusterTime: at, unknown: 1 } },
    40415,
  ],
  [
    'a signature without a key',
    { find: 'a', $clusterTime: { clusterTime: at, signature: { hash: signature.hash } } },
    40414,
  ],
  [
    'a signature of another type',
    { find: 'a', $clusterTime: { clusterTime: at, signature: { ...signature, hash: 'x' } } },
    14,
  ],
  ['a cluster time in 2106', { find: 'a', $clusterTime: { clusterTime: far, signature } }, 205],
  ['a cluster time in 2106 without a signature', { find: 'a', $clusterTime: { clusterTime: far } }, 205],
  [
    'a cluster time with a signature by an unknown key',
    { find: 'a', $clusterTime: { clusterTime: far, signature: { ...signature, keyId: 7 } } },
    211,
  ],
  ['a statement number of a command without statements', { find: 'a', stmtId: 1 }, 0],
  ['a statement number of another type', { find: 'a', stmtId: 'x' }, 14],
  ['a statement number with a fraction', { insert: 'b', documents: [{}], stmtId: new Double(1.5) }, 14],
  ['a statement number as int64', { insert: 'b', documents: [{}], stmtId: 1n }, 14],
  ['statement numbers as doubles', { insert: 'b', documents: [{}], stmtIds: [new Double(1)] }, 14],
  ['a database that differs in case', { create: 'a', $db: 'TEST' }, 13297],
  ['an insert into one', { insert: 'a', documents: [{}], $db: 'Test' }, 13297],
  ['dropping admin', { dropDatabase: 1, ...admin }, 20],
  ['renaming a system collection', { renameCollection: 'test.system.js', to: 'test.a', ...admin }, 20],
  ['renaming to a system collection', { renameCollection: 'test.ships', to: 'test.system.x', ...admin }, 20],
  ['renaming to another case', { renameCollection: 'test.ships', to: 'TEST.ships', ...admin }, 13297],
  ['explain as a number', pipeline({ $match: {} }, { explain: 1 }), 14],
  ['explain as null', pipeline({ $match: {} }, { explain: null }), 14],
  ['explain with a write concern', pipeline({ $match: {} }, { explain: true, writeConcern: { w: 1 } }), 9],
  ['a write concern within explain', { explain: pipeline({ $match: {} }, { writeConcern: { w: 1 } }) }, 9],
  ['explain within explain', { explain: pipeline({ $match: {} }, { explain: true }) }, 9],
  ['explain: false within explain', { explain: pipeline({ $match: {} }, { explain: false }) }, 0],
  ['an unknown field within explain', { explain: pipeline({ $match: {} }, { unknown: 1 }) }, 40415],
  ['no cursor within explain', { explain: { aggregate: 'ships', pipeline: [] } }, 9],
  ['explain without a collection', { aggregate: 1, pipeline: [{ $documents: [] }], explain: true }, 0],
  ['a hint of another type', pipeline({ $match: {} }, { hint: 1 }), 9],
  ['$querySettings with a list', { ...pipeline({ $querySettings: [] }), aggregate: 1, ...admin }, 7746800],
  [
    '$listLocalSessions with a level',
    { ...pipeline({ $listLocalSessions: {} }), aggregate: 1, readConcern: { level: 'majority' } },
    72,
  ],
  ['$set of nothing', pipeline({ $set: {} }), 0],
  [
    '$convert with a further field',
    pipeline({ $project: { a: { $convert: { input: 1, to: { type: 'string', x: 1 } } } } }),
    0,
  ],
  [
    '$lookup with one empty field',
    pipeline({ $lookup: { from: 'b', localField: 'a', foreignField: '', as: 'c' } }),
    9,
  ],
  ['a scale that is not a number', pipeline({ $collStats: { storageStats: { scale: Number.NaN } } }), 2],
  [
    '$lookup in another database',
    pipeline({ $lookup: { from: { db: 'a', coll: 'b' }, pipeline: [], as: 'c' } }),
    9,
  ],
  [
    '$lookup in this database by name',
    pipeline({ $lookup: { from: { db: 'test', coll: 'b' }, pipeline: [], as: 'c' } }),
    9,
  ],
  [
    '$lookup in the oplog',
    pipeline({ $lookup: { from: { db: 'local', coll: 'oplog.rs' }, pipeline: [{ $limit: 1 }], as: 'c' } }),
    0,
  ],
  [
    '$merge with another value of new',
    pipeline({ $merge: { into: 'b', whenMatched: [], let: { new: '$a' } } }),
    51273,
  ],
  [
    '$merge with the usual value of new',
    pipeline({ $merge: { into: 'b', whenMatched: [], let: { new: '$$ROOT' } } }),
    0,
  ],
  ['whatsmyuri with a further field', { whatsmyuri: 1, more: 1, ...admin }, 0],
  ['a time limit beyond 64 bits', { count: 'ships', maxTimeMS: Decimal128.fromString('1E+19') }, 9],
  ['a double beyond 64 bits as time limit', { count: 'ships', maxTimeMS: -1e19 }, 9],
  ['a time limit beyond 32 bits', { count: 'ships', maxTimeMS: 2 ** 40 }, 2],
  ['a time limit of 64 bits', { count: 'ships', maxTimeMS: Long.MAX_VALUE }, 2],
  ['killSessions with a further field', { killSessions: [], more: 1 }, 0],
  ['killAllSessions with a further field', { killAllSessions: [], more: 1, ...admin }, 0],
  ['killAllSessionsByPattern with a further field', { killAllSessionsByPattern: [], more: 1, ...admin }, 0],
  ['a collation backwards by a number', { find: 'ships', collation: { locale: 'fr', backwards: 1 } }, 14],
  ['a collation backwards by null', { find: 'ships', collation: { locale: 'fr', backwards: null } }, 0],
  [
    'a collation with a case level of a number',
    { find: 'ships', collation: { locale: 'fr', caseLevel: 1 } },
    0,
  ],
  ['a transaction number of null', { abortTransaction: 1, txnNumber: null, ...admin }, 125],
  ['a command without retries and a transaction number of null', { count: 'ships', txnNumber: null }, 0],
  ['the size of null', { dataSize: null }, 40414],
  ['the size of a number', { dataSize: 1 }, 14],
  [
    'compacting the encryption of a view',
    { compactStructuredEncryptionData: 'masts', compactionTokens: {} },
    166,
  ],
  ['$near below $elemMatch', { find: 'ships', filter: { list: { $elemMatch: { a: near } } } }, 2],
  ['$near within $elemMatch', { find: 'ships', filter: { list: { $elemMatch: near } } }, 2],
  [
    '$near in a projection',
    { find: 'ships', projection: { list: { $elemMatch: { $or: [{ a: near }] } } } },
    5626500,
  ],
  ['$near on a time series', { find: 'tides', filter: { 'of.at': near } }, 5626500],
  ['a count by distance on a time series', { count: 'tides', query: { 'of.at': near } }, 5626500],
  [
    '$currentOp in $facet without a collection',
    { ...pipeline({ $facet: { a: [{ $currentOp: {} }] } }), aggregate: 1, ...admin },
    40600,
  ],
  ['$querySettings in $facet on a collection', pipeline({ $facet: { a: [{ $querySettings: {} }] } }), 73],
  ['a plan filter without a query', { planCacheSetFilter: 'ships', query: null, indexes: ['a'] }, 2],
  [
    'a plan filter with an empty collation',
    { planCacheSetFilter: 'ships', query: { a: 1 }, collation: {}, indexes: ['a'] },
    2,
  ],
  ['dropping a clustered index', { dropIndexes: 'log', index: '_id_' }, 5979800],
  ['hiding a clustered index', { collMod: 'log', index: { name: '_id_', hidden: true } }, 6011800],
  [
    '$geoNear with a deep key',
    pipeline({ $geoNear: { near: [0, 0], key: Array(181).fill('a').join('.') } }),
    5729100,
  ],
  ['two wildcards', index({ '$**': 1, 'a.$**': 1 }), 7246201],
  ['a wildcard below a wildcard', index({ 'a.$**.$**': 1 }), 67],
  ['a wildcard of version 1', index({ '$**': 1 }, { v: 1 }), 67],
  ['a wildcard with a computed projection', index({ '$**': 1 }, { wildcardProjection: { a: 'x' } }), 51271],
  [
    'a wildcard over a field of its key',
    index({ a: 1, '$**': 1 }, { wildcardProjection: { b: 0 } }),
    7246209,
  ],
  [
    'a path after one that contains it',
    index({ '$**': 1 }, { wildcardProjection: { a: 1, 'a.b': 0 } }),
    31249,
  ],
];

describe('the reference server answers', () => {
  for (const [what, command, code] of cases)
    it(`${what} with ${code}`, () => assert.equal(codeOf(command), code));

  it('$collStats with a scale rounded half to even, and at most a 32-bit integer', () => {
    const scaleOf = (scale: unknown) =>
      Number(rows(pipeline({ $collStats: { storageStats: { scale } } }))[0]?.storageStats.scaleFactor);
    assert.deepEqual(
      ['1.5', '2.5', '0.51', '1E+40'].map((text) => scaleOf(Decimal128.fromString(text))),
      [2, 2, 1, 2 ** 31 - 1],
    );
    assert.deepEqual([scaleOf(2.9), scaleOf(Long.MAX_VALUE)], [2, 2 ** 31 - 1]);
  });

  it('statistics of a time series with the number of its buckets', () => {
    const documents = [1, 2, 3].map((minute) => ({
      at: new Date(minute * 60_000),
      of: { pier: minute % 2 },
    }));
    cluster.run({ insert: 'tides', documents });
    const [stats] = rows({
      ...pipeline({ $collStats: { count: {}, storageStats: {} } }),
      aggregate: 'tides',
    });
    assert.deepEqual([stats?.count, stats?.storageStats.timeseries.bucketCount], [2, 2]);
    assert.equal(cluster.run({ collStats: 'tides' }).timeseries.bucketCount, 2);
    assert.equal(cluster.run({ count: 'tides' }).n, 3);
  });

  it('score details that no stage was asked for with 40218', () => {
    const pipelines = { byCrew: [{ $sort: { crew: 1 } }] };
    const details = (scoreDetails: Document) =>
      codeOf({
        aggregate: 'ships',
        pipeline: [
          { $rankFusion: { input: { pipelines }, ...scoreDetails } },
          { $project: { told: { $meta: 'scoreDetails' } } },
        ],
        cursor: {},
      });
    assert.deepEqual(
      [{}, { scoreDetails: false }, { scoreDetails: null }].map(details),
      [40218, 40218, 40218],
    );
    assert.equal(details({ scoreDetails: true }), 0);
    assert.equal(codeOf(pipeline({ $project: { told: { $meta: 'scoreDetails' } } })), 0);
  });

  it('serverStatus with sections on request only, and null for none', () => {
    const { mirroredReads, mem } = cluster.run({ serverStatus: 1 });
    assert.deepEqual([mirroredReads, typeof mem], [undefined, 'object']);
    const asked = cluster.run({ serverStatus: 1, mirroredReads: 'x', mem: null });
    assert.deepEqual([typeof asked.mirroredReads, asked.mem], ['object', undefined]);
  });

  it('an index on _id of a clustered collection with no index', () => {
    const { numIndexesBefore, numIndexesAfter } = cluster.run({
      createIndexes: 'log',
      indexes: [{ key: { _id: 1 }, name: 'other' }],
    });
    assert.deepEqual([numIndexesBefore, numIndexesAfter], [0, 0]);
  });

  it('arrays in the other fields of a compound wildcard index with an error', () => {
    const options = { wildcardProjection: { 'a.b': 0 } };
    assert.equal(codeOf({ ...index({ 'a.b': 1, '$**': 1 }, options), createIndexes: 'compound' }), 0);
    const insert = (a: unknown) =>
      cluster.run({ insert: 'compound', documents: [{ a }] }).writeErrors?.[0]?.code;
    assert.deepEqual(
      [insert({ b: 1 }), insert([{ b: 1 }]), insert({ b: [1] })],
      [undefined, 7246301, 7246301],
    );
  });

  it('a hinted wildcard index without keys of the query with an error', () => {
    cluster.run({ createIndexes: 'hinted', indexes: [{ key: { 'a.$**': 1 }, name: 'i' }] });
    const find = (filter: Document) => codeOf({ find: 'hinted', filter, hint: 'i' });
    assert.deepEqual([find({ 'a.b': 1 }), find({ b: 1 })], [0, 291]);
  });
});

describe('a stage that reads another collection', () => {
  const stages: Readonly<Record<string, (name: string) => Document>> = {
    $lookup: (from) => ({ $lookup: { from, localField: 'a', foreignField: 'b', as: 'c' } }),
    '$lookup with a pipeline': (from) => ({ $lookup: { from, pipeline: [], as: 'c' } }),
    $graphLookup: (from) => ({
      $graphLookup: { from, startWith: 1, connectFromField: 'a', connectToField: 'b', as: 'c' },
    }),
    '$unionWith as a name': (coll) => ({ $unionWith: coll }),
    $unionWith: (coll) => ({ $unionWith: { coll, pipeline: [] } }),
  };
  for (const [what, stage] of Object.entries(stages))
    it(`rejects a name that no collection can have: ${what}`, () => {
      const codes = ['', '.a', 'a\0b', 'a.b', '$a', 'none'].map((name) => codeOf(pipeline(stage(name))));
      assert.deepEqual(codes, [73, 73, 73, 0, 0, 0]);
    });
});

describe('$elemMatch in a projection', () => {
  const find = (projection: Document) => rows({ find: 'ships', projection })[0] ?? {};
  const entry = { holds: { $elemMatch: { $gte: 2 } } };

  it('comes after the fields that are included', () => {
    assert.deepEqual(Object.entries(find({ ...entry, port: 1, name: 1 })), [
      ['_id', 1],
      ['name', 'Vega'],
      ['port', 'Riga'],
      ['holds', [2]],
    ]);
    assert.deepEqual(find({ ...entry, _id: 0 }), { holds: [2] });
  });

  it('stays in its place beside fields that are excluded', () => {
    assert.deepEqual(Object.entries(find({ ...entry, crew: 0, _id: 0 })), [
      ['name', 'Vega'],
      ['holds', [2]],
      ['port', 'Riga'],
    ]);
  });
});

describe('an expression', () => {
  const evaluate = (expression: Document) =>
    rows({
      aggregate: 1,
      pipeline: [{ $documents: [{ a: 1 }] }, { $project: { _id: 0, result: expression } }],
      cursor: {},
    })[0]?.result;

  it('sorts arrays by whole values of fields, whatever their names', () => {
    const sorted = (input: Document[], sortBy: Document) =>
      evaluate({ $sortArray: { input: { $literal: input }, sortBy } });
    assert.deepEqual(sorted([{ a: [3, 1] }, { a: [2] }], { a: 1 }), [{ a: [2] }, { a: [3, 1] }]);
    assert.deepEqual(sorted([{ $a: 1 }, { $a: 2 }], { $a: -1 }), [{ $a: 2 }, { $a: 1 }]);
    assert.deepEqual(sorted([{ a: { b: 2 } }, {}, { a: { b: 1 } }], { 'a.b': 1 }), [
      {},
      { a: { b: 1 } },
      { a: { b: 2 } },
    ]);
  });

  it('fails on a constant of $ifNull that is not needed', () => {
    const divided = { $divide: [1, 0] };
    assert.equal(codeOf(pipeline({ $project: { a: { $ifNull: ['$name', divided, 1] } } })), 2);
  });

  it('keeps constant keys of groups as they are, and wraps extreme values of sets', () => {
    const group = (fields: Document) => rows(pipeline({ $group: fields }))[0] ?? {};
    assert.deepEqual(group({ _id: new MaxKey() }), { _id: new MaxKey() });
    const documents = [{ a: new MinKey() }, { a: new MinKey() }];
    const [set] = rows({
      aggregate: 1,
      pipeline: [{ $documents: documents }, { $group: { _id: '$a', all: { $addToSet: '$a' } } }],
      cursor: {},
    });
    assert.deepEqual(set, { _id: { '': new MinKey() }, all: [{ '': new MinKey() }] });
  });

  it('reads dates with an offset in UTC, and takes Z for no time zone', () => {
    const dateString = '2021-03-04T05:06:07+02:00';
    const read = (timezone: string) => evaluate({ $dateFromString: { dateString, timezone } });
    assert.deepEqual(['UTC', '+00:00'].map(read), Array(2).fill(new Date('2021-03-04T03:06:07Z')));
    const code = (timezone: string) =>
      codeOf(pipeline({ $project: { a: { $dateFromString: { dateString, timezone } } } }));
    assert.deepEqual(['Europe/Riga', '+02:00', 'Z'].map(code), [241, 241, 40485]);
  });

  it('finds an empty pattern before every letter, and once in an empty text', () => {
    const found = (input: string) =>
      evaluate({ $regexFindAll: { input, regex: '' } }).map(({ idx }: { idx: number }) => idx);
    assert.deepEqual([found('abc'), found('')], [[0, 1, 2], [0]]);
  });
});

describe('a command', () => {
  const cases: ReadonlyArray<[string, Document, number]> = [
    ['applyOps of a transaction', { applyOps: [], prepare: false }, 2],
    ['applyOps of a part of one', { applyOps: [], partialTxn: false }, 31056],
    ['applyOps with a count that is no number', { applyOps: [], count: true }, 14],
    ['applyOps with a number as alwaysUpsert', { applyOps: [], alwaysUpsert: 0 }, 14],
    ['autoCompact below its bound', { autoCompact: false, freeSpaceTargetMB: -1 }, 2],
    [
      'autoCompact with a decimal that is rounded up',
      { autoCompact: true, freeSpaceTargetMB: Decimal128.fromString('0.51') },
      0,
    ],
    ['dropConnections without a host', { dropConnections: 1, hostAndPort: [null] }, 0],
    [
      'a number as a switch',
      { setClusterParameter: { pauseMigrationsDuringMultiUpdates: { enabled: 1 } } },
      14,
    ],
    [
      'options that are no object',
      { setClusterParameter: { changeStreamOptions: { preAndPostImages: 1 } } },
      2,
    ],
  ];
  for (const [what, command, code] of cases)
    it(`answers ${what} with ${code}`, () => assert.equal(codeOf({ ...command, ...admin }), code));

  it('knows $$new besides other variables only if $merge may insert', () => {
    const spec = { into: 'b', whenMatched: [{ $set: { x: '$$new.a' } }], let: { other: '$a' } };
    assert.equal(codeOf(pipeline({ $merge: spec })), 0);
    assert.equal(codeOf(pipeline({ $merge: { ...spec, whenNotMatched: 'discard' } })), 17276);
    assert.equal(codeOf(pipeline({ $merge: { ...spec, whenNotMatched: 'fail' } })), 17276);
    const named = { ...spec, let: { new: '$$ROOT' }, whenNotMatched: 'discard' };
    assert.equal(codeOf(pipeline({ $merge: named })), 0);
  });

  it('answers $merge with a variable that is none with 9', () => {
    const merge = { into: 'b', whenMatched: [{ $set: { x: 1 } }], let: { $a: '$b' } };
    assert.equal(codeOf(pipeline({ $merge: merge })), 9);
  });
});
