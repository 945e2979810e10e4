import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] });
  cluster.run({ profile: 2 });
});
after(() => cluster.remove());

/** Returns the profiler entries of operations of a kind, as a client reads them after the reply. */
const profiles = (op: string): Document[] =>
  cluster.run({ find: 'system.profile', filter: { op, ns: 'test.c' } }).cursor.firstBatch;

test('a profile is stored before the answer is sent', () => {
  cluster.run({ find: 'c', filter: { _id: 1 } });
  const [entry] = profiles('query');
  assert.deepEqual([entry?.command, entry?.docsExamined], [{ find: 'c', filter: { _id: 1 } }, 1]);
  assert.deepEqual([entry?.numYield, entry?.numYields], [0, undefined]);
});

test('a read by _id examines a key of the _id index, which clustered collections lack', () => {
  cluster.run({ create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } });
  cluster.run({ insert: 'clustered', documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }] });
  const examined = (name: string, filter: Document) => {
    cluster.run({ find: name, filter });
    const last = { filter: { op: 'query', ns: `test.${name}` }, sort: { $natural: -1 }, limit: 1 };
    const [entry] = cluster.run({ find: 'system.profile', ...last }).cursor.firstBatch;
    return [entry?.keysExamined, entry?.docsExamined].map(Number);
  };
  const filters = [{ _id: 1 }, { _id: { $in: [1, 3] } }, { _id: { $gt: 1 } }];
  assert.deepEqual(
    filters.map((filter) => examined('c', filter)),
    [
      [1, 1],
      [2, 2],
      [2, 2],
    ],
  );
  assert.deepEqual(
    filters.map((filter) => examined('clustered', filter)),
    [
      [0, 1],
      [0, 2],
      [0, 2],
    ],
  );
});

test('an update has one for each of its statements', () => {
  const updates = [
    { q: { _id: 1 }, u: { $set: { a: 1 } }, hint: '_id_' },
    { q: {}, u: { $set: { b: 1 } }, multi: true },
  ];
  cluster.run({ update: 'c', updates });
  cluster.run({ update: 'c', updates: [{ q: { _id: 9 }, u: { a: 1 }, upsert: true }] });
  const all = profiles('update');
  assert.deepEqual(
    all.map(({ command }) => command),
    [
      { q: { _id: 1 }, u: { $set: { a: 1 } }, hint: { $hint: '_id_' }, multi: false, upsert: false },
      { q: {}, u: { $set: { b: 1 } }, multi: true, upsert: false },
      { q: { _id: 9 }, u: { a: 1 }, multi: false, upsert: true },
    ],
  );
  const { nMatched, nModified, nUpserted } = all[2] ?? {};
  assert.deepEqual([nMatched, nModified, nUpserted].map(Number), [0, 0, 1]);
});

test('each statement of a write has its own plan, figures and error', () => {
  cluster.run({
    insert: 's',
    documents: [
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
      { _id: 3, a: 2 },
    ],
  });
  cluster.run({ createIndexes: 's', indexes: [{ key: { a: 1 }, name: 'a' }] });
  const entries = (op: string) =>
    cluster
      .run({ find: 'system.profile', filter: { op, ns: 'test.s' } })
      .cursor.firstBatch.map((entry: Document) =>
        [
          'planSummary',
          'keysExamined',
          'docsExamined',
          'keysInserted',
          'nMatched',
          'nModified',
          'nUpserted',
          'ndeleted',
          'errCode',
        ].map((name) => (typeof entry[name] === 'string' ? entry[name] : Number(entry[name] ?? -1))),
      );
  const updates = [
    { q: { a: 2 }, u: { $set: { b: 1 } }, multi: true },
    { q: { b: 7 }, u: { $set: { c: 1 } } },
    { q: { _id: 9 }, u: { $set: { a: 9 } }, upsert: true },
    { q: { _id: 1 }, u: { $set: { _id: 5 } } },
    { q: { a: 1 }, u: { $set: { b: 1 } } },
  ];
  assert.equal(cluster.run({ update: 's', updates }).writeErrors.length, 1);
  const found = entries('update');
  assert.equal(found.length, 4);
  assert.deepEqual(found[0], ['IXSCAN { a: 1 }', 2, 2, -1, 2, 2, 0, -1, -1]);
  assert.deepEqual(found[1], ['COLLSCAN', 0, 3, -1, 0, 0, 0, -1, -1]);
  assert.deepEqual(found[2]?.slice(3), [2, 0, 0, 1, -1, -1]);
  assert.deepEqual(found[3]?.slice(4), [-1, -1, -1, -1, 66]);
  cluster.run({
    delete: 's',
    deletes: [
      { q: { a: 2 }, limit: 0 },
      { q: { a: 8 }, limit: 1 },
    ],
  });
  assert.deepEqual(
    entries('remove').map((entry: unknown[]) => [entry[0], entry[1], entry[7]]),
    [
      ['IXSCAN { a: 1 }', 2, 2],
      ['IXSCAN { a: 1 }', 0, 0],
    ],
  );
});

test('a retried statement has none', () => {
  const updates = [
    { q: { _id: 1 }, u: { $set: { r: 1 } } },
    { q: { _id: 2 }, u: { $set: { r: 1 } } },
  ];
  const lsid = { id: new UUID() };
  const retried = (all: typeof updates) =>
    cluster.run({
      update: 'c',
      updates: all,
      lsid,
      txnNumber: Long.fromNumber(1),
      stmtIds: all.map((_, i) => i),
    });
  retried(updates.slice(0, 1));
  const before = profiles('update').length;
  assert.deepEqual(retried(updates).retriedStmtIds, [0]);
  const added = profiles('update').slice(before);
  assert.deepEqual(
    added.map(({ command, nModified }) => [command.q, Number(nModified)]),
    [[{ _id: 2 }, 1]],
  );
});

test('a delete has one for each of its statements', () => {
  cluster.run({ delete: 'c', deletes: [{ q: { _id: 2 }, limit: 1, hint: { _id: 1 } }] });
  const [entry] = profiles('remove');
  assert.deepEqual(
    [entry?.command, Number(entry?.ndeleted)],
    [{ q: { _id: 2 }, limit: 1, hint: { _id: 1 } }, 1],
  );
});

test('a statement of a write has the comment of its command', () => {
  cluster.run({ delete: 'c', deletes: [{ q: { _id: 7 }, limit: 1 }], comment: 'weekly' });
  cluster.run({ update: 'c', updates: [{ q: { _id: 7 }, u: { a: 1 } }], comment: { by: 'ada' } });
  const last = (op: string) => profiles(op).at(-1)?.command;
  assert.deepEqual(last('remove'), { q: { _id: 7 }, limit: 1, comment: 'weekly' });
  assert.deepEqual(last('update'), {
    ...{ q: { _id: 7 }, u: { a: 1 }, multi: false, upsert: false },
    comment: { by: 'ada' },
  });
});

test('a getMore is recorded for the collection that it reads', () => {
  const { cursor } = cluster.run({ find: 'c', batchSize: 1 });
  cluster.run({ getMore: cursor.id, collection: 'c', batchSize: 1 });
  const [entry] = profiles('getmore');
  assert.equal(entry?.nreturned, 1);
  assert.deepEqual(entry?.originatingCommand, { find: 'c', batchSize: 1 });
  assert.equal(Number(entry?.cursorid), Number(cursor.id));
});

test('a getMore has the comment of its cursor, unless it has its own', () => {
  const { cursor } = cluster.run({ find: 'c', batchSize: 1, comment: 'begun' });
  cluster.run({ getMore: cursor.id, collection: 'c', batchSize: 0 });
  cluster.run({ getMore: cursor.id, collection: 'c', comment: 'more' });
  const comments = profiles('getmore').map(({ command }) => command.comment);
  assert.deepEqual(comments.slice(-2), ['begun', 'more']);
});

test('a query has the hashes of its shape, which explain shows', () => {
  const filter = { a: { $gt: 5 }, b: 'x' };
  const commands = [
    ['query', { find: 'c', filter, sort: { a: 1 } }],
    ['command', { aggregate: 'c', pipeline: [{ $match: filter }, { $group: { _id: '$a' } }], cursor: {} }],
    ['command', { distinct: 'c', key: 'a', query: filter }],
    ['update', { update: 'c', updates: [{ q: filter, u: { $set: { n: 1 } } }] }],
    ['remove', { delete: 'c', deletes: [{ q: filter, limit: 0 }] }],
  ] as const;
  for (const [op, command] of commands) {
    cluster.run(command);
    const entry = profiles(op).at(-1);
    const { queryPlanner, queryShapeHash } = cluster.run({ explain: command, verbosity: 'queryPlanner' });
    const { planCacheShapeHash } = queryPlanner ?? {};
    assert.deepEqual([entry?.queryShapeHash, entry?.queryFramework], [queryShapeHash, 'classic'], op);
    assert.match(entry?.planCacheShapeHash, /^[0-9A-F]{8}$/);
    if (planCacheShapeHash !== undefined) assert.equal(entry?.planCacheShapeHash, planCacheShapeHash);
    assert.deepEqual(entry?.queryHash, entry?.planCacheShapeHash);
  }
});

test('a query has no hashes if planning it again evaluates an expensive constant', () => {
  const sum = (term: unknown) => ({
    $reduce: { input: { $range: [0, 2_000] }, initialValue: 0, in: { $add: ['$$value', term] } },
  });
  let time = cluster.clock.monotonic();
  cluster.clock.monotonic = () => (time += 0.25);
  const pipeline = [{ $project: { a: { $setUnion: [[sum(sum('$$this'))], [1]] } } }];
  cluster.run({ aggregate: 'c', pipeline, cursor: {}, maxTimeMS: 20 });
  const entry = profiles('command').at(-1);
  assert.equal(entry?.errCode, 50);
  assert.equal(entry?.queryShapeHash, undefined);
});

test('a getMore has the hashes of the query of its cursor', () => {
  const { cursor } = cluster.run({ find: 'c', filter: { z: null }, batchSize: 1 });
  cluster.run({ getMore: cursor.id, collection: 'c' });
  const [query, getMore] = [profiles('query').at(-1), profiles('getmore').at(-1)];
  assert.ok(query?.queryShapeHash);
  assert.equal(getMore?.queryShapeHash, query.queryShapeHash);
});

test('a profile shows the plans of counts and of distinct values', () => {
  cluster.run({ createIndexes: 'plans', indexes: [{ key: { a: 1 }, name: 'a' }] });
  cluster.run({ insert: 'plans', documents: [{ a: 1 }, { a: 2 }] });
  const commands: ReadonlyArray<[Document, string]> = [
    [{ count: 'plans' }, 'RECORD_STORE_FAST_COUNT'],
    [{ count: 'plans', query: {} }, 'RECORD_STORE_FAST_COUNT'],
    [{ count: 'plans', hint: 'a' }, 'COUNT_SCAN { a: 1 }'],
    [{ count: 'plans', query: { b: 1 } }, 'COLLSCAN'],
    [{ count: 'noPlans' }, 'EOF'],
    [{ distinct: 'plans', key: 'a' }, 'DISTINCT_SCAN { a: 1 }'],
    [{ distinct: 'noPlans', key: 'a' }, 'EOF'],
    [{ find: 'noPlans' }, 'EOF'],
  ];
  for (const [command, expected] of commands) {
    const comment = JSON.stringify(command);
    cluster.run({ ...command, comment });
    const profiled = cluster.run({ find: 'system.profile', filter: { 'command.comment': comment } });
    assert.equal(profiled.cursor.firstBatch[0]?.planSummary, expected, comment);
  }
});

test('a profile shows how many index keys were written, and that a count read only keys', () => {
  cluster.run({ createIndexes: 'keys', indexes: [{ key: { a: 1 }, name: 'a' }] });
  cluster.run({ insert: 'keys', documents: [{ _id: 1, a: [1, 2] }, { _id: 2 }] });
  cluster.run({ update: 'keys', updates: [{ q: { _id: 2 }, u: { $set: { a: 3 } } }] });
  cluster.run({ delete: 'keys', deletes: [{ q: { _id: 1 }, limit: 1 }] });
  cluster.run({ count: 'keys', query: { a: { $gt: 2 } } });
  const filter = { ns: 'test.keys', op: { $in: ['insert', 'update', 'remove'] } };
  const writes: Document[] = cluster.run({ find: 'system.profile', filter }).cursor.firstBatch;
  assert.deepEqual(
    writes.map(({ op, keysInserted = 0, keysDeleted = 0 }) => [
      op,
      Number(keysInserted),
      Number(keysDeleted),
    ]),
    [
      ['insert', 5, 0],
      ['update', 1, 1],
      ['remove', 0, 3],
    ],
  );
  const counts = { 'command.count': 'keys' };
  const [count] = cluster.run({ find: 'system.profile', filter: counts }).cursor.firstBatch;
  assert.deepEqual([count?.planSummary, Number(count?.keysExamined)], ['COUNT_SCAN { a: 1 }', 1]);
});
