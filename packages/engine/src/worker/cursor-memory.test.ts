import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Document, Long, UUID } from 'bson';
import { CursorBudget } from './cursor-budget.ts';
import { CLUSTER_ID, info, TestCluster } from './testing.ts';

const KB = 1024;
let budget: CursorBudget;
let cluster: TestCluster;

beforeEach(() => {
  budget = new CursorBudget({ cluster: 10_000 * KB, thread: 15_000 * KB });
  cluster = new TestCluster({ cursorBudget: budget });
  const documents = Array.from({ length: 300 }, (_, _id) => ({ _id, pad: 'x'.repeat(10 * KB) }));
  cluster.run({ insert: 'c', documents });
});
afterEach(() => cluster.remove());

const open = (pipeline: Document[], more: Document = {}): Document =>
  cluster.run({ aggregate: 'c', pipeline, cursor: { batchSize: 1 }, ...more });
const getMore = (id: bigint): Document =>
  cluster.run({ getMore: Long.fromBigInt(id), collection: 'c', batchSize: 1 });
const kill = (id: bigint) => cluster.run({ killCursors: 'c', cursors: [Long.fromBigInt(id)] });
const code = ({ ok, code: found, codeName }: Document) => (ok === 1 ? 'ok' : `${found} ${codeName}`);

/** Pipelines whose cursors hold the 3 MB of all documents. */
const heavy: Readonly<Record<string, Document[]>> = {
  $group: [{ $group: { _id: { $mod: ['$_id', 10] }, all: { $push: '$pad' } } }],
  $sort: [{ $sort: { pad: 1, _id: -1 } }],
  $bucketAuto: [{ $bucketAuto: { groupBy: '$_id', buckets: 9, output: { all: { $push: '$pad' } } } }],
  $setWindowFields: [{ $setWindowFields: { sortBy: { _id: 1 }, output: { n: { $documentNumber: {} } } } }],
  $lookup: [{ $lookup: { from: 'c', as: 'all', pipeline: [{ $project: { _id: 1 } }] } }],
  $graphLookup: [
    {
      $graphLookup: {
        from: 'c',
        startWith: '$_id',
        connectFromField: '_id',
        connectToField: '_id',
        as: 'all',
      },
    },
  ],
  $unwind: [{ $group: { _id: null, all: { $push: '$$ROOT' } } }, { $unwind: '$all' }],
  $facet: [{ $facet: { all: [{ $match: {} }] } }, { $unwind: '$all' }],
  $documents: [{ $unionWith: { pipeline: [{ $documents: { $map: documentsOf(300) } }] } }],
};

/** Returns the arguments of `$map` that create this number of documents of 10 KB. */
function documentsOf(count: number): Document {
  return { input: { $range: [0, count] }, in: { pad: 'x'.repeat(10 * KB) } };
}

for (const [name, pipeline] of Object.entries(heavy)) {
  test(`idle cursors of ${name} are closed when the cursors of their cluster hold too much`, () => {
    const ids = Array.from({ length: 5 }, () => open(pipeline).cursor.id as bigint);
    assert.ok(ids.every((id) => id !== 0n));
    assert.equal(code(getMore(ids[0] as bigint)), '146 ExceededMemoryLimit');
    assert.equal(code(getMore(ids[4] as bigint)), 'ok');
    for (const id of ids) kill(id);
    assert.equal(budget.bytes, 0);
  });
}

test('the cursor that was not read for the longest time is closed first', () => {
  const [first, second] = [
    open(heavy.$sort as Document[]).cursor.id,
    open(heavy.$sort as Document[]).cursor.id,
  ];
  assert.equal(code(getMore(first)), 'ok');
  open(heavy.$sort as Document[]);
  open(heavy.$sort as Document[]);
  assert.deepEqual([code(getMore(first)), code(getMore(second))], ['ok', '146 ExceededMemoryLimit']);
  assert.equal(code(getMore(second)), '146 ExceededMemoryLimit');
  assert.equal(code(getMore(second + 1n)), '43 CursorNotFound');
});

test('small cursors stay open while large ones are closed', () => {
  const small = cluster.run({ find: 'c', batchSize: 1 }).cursor.id;
  for (let i = 0; i < 8; i++) open(heavy.$sort as Document[]);
  assert.equal(code(getMore(small)), 'ok');
});

test('many small cursors are limited as well, and so are long commands', () => {
  const first = cluster.run({ find: 'c', batchSize: 1 }).cursor.id;
  for (let i = 0; i < 700; i++) cluster.run({ find: 'c', batchSize: 1 });
  assert.equal(code(getMore(first)), '146 ExceededMemoryLimit');
  const filter = { _id: { $in: Array.from({ length: 10_000 }, (_, i) => i) } };
  const long = cluster.run({ find: 'c', filter, batchSize: 1 }).cursor.id;
  for (let i = 0; i < 3; i++) cluster.run({ find: 'c', filter, batchSize: 1 });
  assert.equal(code(getMore(long)), '146 ExceededMemoryLimit');
});

test('a cursor that alone holds too much is not opened', () => {
  budget = new CursorBudget({ cluster: 1_000 * KB });
  cluster.remove();
  cluster = new TestCluster({ cursorBudget: budget });
  const documents = Array.from({ length: 300 }, (_, _id) => ({ _id, pad: 'x'.repeat(10 * KB) }));
  cluster.run({ insert: 'c', documents });
  assert.equal(code(open(heavy.$sort as Document[])), '146 ExceededMemoryLimit');
  assert.equal(budget.bytes, 0);
});

test('the memory is free again when cursors time out, end, or lose their session or cluster', () => {
  const lsid = { id: new UUID() };
  open(heavy.$sort as Document[], { lsid });
  assert.ok(budget.bytes > 3_000 * KB);
  cluster.run({ endSessions: [lsid], $db: 'admin' });
  assert.equal(budget.bytes, 0);
  open(heavy.$sort as Document[]);
  cluster.clock.advance(11 * 60_000);
  assert.equal(budget.bytes, 0);
  const { id } = open(heavy.$sort as Document[]).cursor;
  cluster.run({ getMore: id, collection: 'c' });
  assert.equal(budget.bytes, 0);
  open(heavy.$sort as Document[]);
  cluster.worker.close(CLUSTER_ID);
  assert.equal(budget.bytes, 0);
});

test('memory counts no longer when a stage inside a $lookup has ended', () => {
  const pad = { $lookup: { from: 'c', pipeline: [{ $limit: 5 }], as: 'own' } };
  const inner = [{ $limit: 2 }, pad, { $unwind: '$own' }, { $limit: 2 }, { $project: { _id: 1 } }];
  const documents = [{ $documents: [{ a: 'x'.repeat(10 * KB) }] }, { $sort: { a: 1 } }, { $limit: 1 }];
  const lookups = [
    { $limit: 12 },
    { $project: { _id: 1 } },
    { $lookup: { from: 'c', let: { id: '$_id' }, pipeline: inner, as: 'first' } },
    { $lookup: { let: { id: '$_id' }, pipeline: documents, as: 'second' } },
    { $project: { first: { $size: '$first' } } },
  ];
  const read = cluster.run({ aggregate: 'c', pipeline: lookups, cursor: { batchSize: 10 } });
  assert.equal(read.cursor?.firstBatch.length, 10, read.errmsg);
  // The outer `$lookup` keeps the documents of its collection.
  assert.ok(budget.bytes < 4_000 * KB, `${budget.bytes}`);
});

test('the cluster whose cursors hold most loses them if all clusters of a thread hold too much', () => {
  const other = new TestCluster();
  cluster.worker.open('other', other, info);
  const here = open(heavy.$sort as Document[]).cursor.id;
  const there = { clusterId: 'other', connectionId: 2 };
  const documents = Array.from({ length: 300 }, (_, _id) => ({ _id, pad: 'x'.repeat(10 * KB) }));
  cluster.run({ insert: 'c', documents }, there);
  for (let i = 0; i < 6; i++)
    cluster.run({ aggregate: 'c', pipeline: heavy.$sort, cursor: { batchSize: 1 } }, there);
  assert.equal(code(getMore(here)), 'ok');
  other.remove();
});

test('constants of a $lookup with variables count only until the next document', () => {
  const kept = { $concat: ['x'.repeat(5 * KB), 'y'] };
  const inner = [{ $limit: 1 }, { $project: { n: { $strLenBytes: { $concat: [kept, '$$id'] } } } }];
  const lookups = [
    { $project: { _id: { $toString: '$_id' } } },
    { $lookup: { from: 'c', let: { id: '$_id' }, pipeline: inner, as: 'all' } },
    { $project: { _id: 1 } },
  ];
  const before = budget.bytes;
  const bytesOf = (batchSize: number) => {
    const { cursor, errmsg } = cluster.run({ aggregate: 'c', pipeline: lookups, cursor: { batchSize } });
    assert.equal(cursor?.firstBatch.length, batchSize, errmsg);
    const bytes = budget.bytes - before;
    kill(cursor.id);
    return bytes;
  };
  assert.equal(bytesOf(100), bytesOf(2));
});

test('one command of nearly the maximum size can open a cursor, but not several at the same time', () => {
  const other = new TestCluster();
  other.run({ insert: 'c', documents: [{}, {}, {}] });
  const comment = 'x'.repeat(15_000_000);
  const [first, second] = [1, 2].map(() => other.run({ find: 'c', comment, batchSize: 1 }).cursor?.id);
  const next = (id: bigint) =>
    code(other.run({ getMore: Long.fromBigInt(id), collection: 'c', batchSize: 1 }));
  assert.deepEqual([next(second), next(first)], ['ok', '146 ExceededMemoryLimit']);
  other.remove();
});
