import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Decimal128, type Document, Double, Long, ObjectId, serialize } from 'bson';
import fc from 'fast-check';
import { TestCluster } from '../worker/testing.ts';

let cluster: TestCluster;
let name = '';
let made = 0;

before(() => {
  cluster = new TestCluster();
});
beforeEach(() => {
  name = `c${++made}`;
});
after(() => cluster.remove());

function fill(documents: readonly Document[], key: Document, options: Document = {}): void {
  if (documents.length > 0) cluster.run({ insert: name, documents });
  cluster.run({ createIndexes: name, indexes: [{ key, name: 'i', ...options }] });
}

function explain(query: Document) {
  const { executionStats } = cluster.run({ explain: { find: name, ...query } });
  const stages: string[] = [];
  for (let stage = executionStats.executionStages; stage; stage = stage.inputStage) stages.push(stage.stage);
  const { totalKeysExamined: keys, totalDocsExamined: documents, nReturned } = executionStats;
  return { stages, keys, documents, nReturned };
}

function found(query: Document): Document[] {
  return cluster.run({ find: name, batchSize: 1000, ...query }, {}).cursor.firstBatch;
}

const covered = ['PROJECTION_COVERED', 'IXSCAN'];
const shown = { _id: 0, a: 1, b: 1 };

describe('a covered query', () => {
  const documents = Array.from({ length: 40 }, (_, _id) => ({ _id, a: _id % 8, b: `t${_id}`, c: 1 }));

  it('reads no document', () => {
    fill(documents, { a: 1, b: -1 });
    const query = { filter: { a: 3 }, projection: shown };
    assert.deepEqual(explain(query), { stages: covered, keys: 5, documents: 0, nReturned: 5 });
    assert.deepEqual(found({ ...query, limit: 1 }), [{ a: 3, b: 't35' }]);
  });

  it('may have a hint and no filter', () => {
    fill(documents, { a: 1, b: 1 });
    const plan = explain({ hint: 'i', projection: { _id: false, b: true } });
    assert.deepEqual(plan, { stages: covered, keys: 40, documents: 0, nReturned: 40 });
  });

  it('may be sorted, in the order of the index and in another', () => {
    fill(documents, { a: 1, b: 1 });
    const ordered = { filter: { a: { $gt: 5 } }, sort: { a: -1, b: -1 }, projection: shown };
    assert.deepEqual(explain(ordered).stages, covered);
    const sorted = { ...ordered, sort: { b: 1 } };
    const { stages, documents: read } = explain(sorted);
    assert.deepEqual([stages, read], [['PROJECTION_COVERED', 'SORT', 'IXSCAN'], 0]);
    assert.deepEqual(found(sorted), found({ ...sorted, hint: { $natural: 1 } }));
  });

  it('may return embedded fields and the _id', () => {
    fill([{ _id: 1, a: { x: 2, y: { z: 'q' } }, b: 1 }], { 'a.y.z': 1, 'a.x': 1, _id: 1 });
    const query = { filter: { 'a.y.z': 'q' }, projection: { 'a.x': 1, 'a.y.z': 1 } };
    assert.deepEqual(explain(query), { stages: covered, keys: 1, documents: 0, nReturned: 1 });
    assert.deepEqual(found(query), [{ _id: 1, a: { x: 2, y: { z: 'q' } } }]);
  });

  const others: Array<[string, Document]> = [
    ['returns the _id', { projection: { a: 1 } }],
    ['returns another field', { projection: { ...shown, c: 1 } }],
    ['excludes fields', { projection: { _id: 0 } }],
    ['filters on another field', { filter: { a: 3, c: 1 }, projection: shown }],
    ['filters by an expression', { filter: { a: 3, $expr: { $eq: ['$c', 1] } }, projection: shown }],
    ['computes a field', { projection: { _id: 0, a: 1, d: '$c' } }],
    ['sorts by another field', { projection: shown, sort: { c: 1 } }],
    ['returns keys', { projection: shown, returnKey: true }],
    ['returns record ids', { projection: shown, showRecordId: true }],
    ['has a collation', { projection: shown, collation: { locale: 'en' } }],
  ];
  for (const [what, query] of others) {
    it(`a query that ${what} is not covered`, () => {
      fill(documents, { a: 1, b: 1 });
      const { stages } = explain({ filter: { a: 3 }, ...query });
      assert.ok(!stages.includes('PROJECTION_COVERED') && stages.includes('FETCH'), stages.join());
    });
  }

  it('reads documents of a multikey index, also if arrays appear during the scan', () => {
    fill(documents, { a: 1 });
    const query = { filter: { a: { $gte: 0 } }, projection: { _id: 0, a: 1 } };
    const { cursor } = cluster.run({ find: name, ...query, batchSize: 2 });
    cluster.run({ update: name, updates: [{ q: { _id: 39 }, u: { $set: { a: [7, 9] } } }] });
    const rest = cluster.run({ getMore: cursor.id, collection: name }).cursor.nextBatch;
    assert.deepEqual(rest.at(-1), { a: [7, 9] });
    assert.deepEqual(explain(query).stages, ['PROJECTION_SIMPLE', 'FETCH', 'IXSCAN']);
  });

  it('may use a multikey index if the projected fields have no arrays', () => {
    const stock = (_id: number, e: unknown) => ({ _id, k: _id % 4, e });
    fill([stock(0, [{ n: 1 }, { n: 2 }]), stock(1, { n: 1 }), stock(2, []), stock(4, [{ n: 9 }])], {
      k: 1,
      'e.n': 1,
    });
    const query = { filter: { k: 0 }, projection: { _id: 0, k: 1 } };
    assert.deepEqual(explain(query), { stages: covered, keys: 3, documents: 0, nReturned: 2 });
    assert.deepEqual(found(query), [{ k: 0 }, { k: 0 }]);
    for (const other of [{ projection: { _id: 0, 'e.n': 1 } }, { filter: { k: 0, 'e.n': 9 } }]) {
      assert.ok(explain({ ...query, ...other }).stages.includes('FETCH'), JSON.stringify(other));
    }
    // The types in documents with arrays count too: an integer and a double have the same key.
    cluster.run({ insert: name, documents: [{ _id: 5, k: new Double(0), e: [{ n: 3 }] }] });
    assert.ok(explain(query).stages.includes('FETCH'));
    assert.equal(found({ ...query, filter: { k: { $type: 'double' } }, hint: 'i' }).length, 1);
  });

  it('reads documents if numbers have several types, also if they appear during the scan', () => {
    fill(documents, { a: 1 });
    const query = { filter: { a: { $gte: 0 } }, projection: { _id: 0, a: 1 } };
    const { cursor } = cluster.run({ find: name, ...query, batchSize: 2 });
    cluster.run({ update: name, updates: [{ q: { _id: 39 }, u: { $set: { a: Long.fromNumber(7) } } }] });
    cluster.run({ getMore: cursor.id, collection: name });
    assert.deepEqual(explain(query).stages, ['PROJECTION_SIMPLE', 'FETCH', 'IXSCAN']);
    assert.equal(found({ ...query, filter: { a: { $type: 'long' } }, hint: 'i' }).length, 1);
  });

  it('is planned again when the index changes', () => {
    fill(documents, { a: 1 });
    const query = { filter: { a: { $gte: 0 } }, projection: { _id: 0, a: 1 } };
    cluster.run({ collMod: name, index: { name: 'i', hidden: true } });
    cluster.run({ collMod: name, index: { name: 'i', hidden: false } });
    assert.deepEqual(explain(query), { stages: covered, keys: 40, documents: 0, nReturned: 40 });
  });

  it('is covered after a restart', () => {
    fill([{ a: new Double(1.5), b: new Date(5) }], { a: 1, b: 1 });
    cluster.reopen();
    const query = { filter: { a: { $gt: 1 } }, projection: shown };
    assert.deepEqual(explain(query).documents, 0);
    assert.deepEqual(found(query), [{ a: 1.5, b: new Date(5) }]);
  });

  it('reads documents that lack a field', () => {
    fill([{ a: 1, b: 1 }, { a: 1 }, { a: 1, b: null }, { a: 1, b: { c: 1 } }], { a: 1, b: 1 });
    const query = { filter: { a: 1 }, projection: shown };
    assert.deepEqual(explain(query), { stages: covered, keys: 4, documents: 3, nReturned: 4 });
    assert.deepEqual(found(query), [{ a: 1 }, { a: 1, b: null }, { a: 1, b: 1 }, { a: 1, b: { c: 1 } }]);
  });
});

const numbers = fc.constantFrom<readonly unknown[]>(
  [1, 2, 3],
  [new Double(0.5), new Double(0), new Double(2)],
  [Long.fromString('9007199254740993'), Long.fromNumber(-1)],
  [1, new Double(1), new Double(-0), Long.fromNumber(2)],
  [Decimal128.fromString('1.0'), 1],
);
const others = [
  'x',
  'a\0b',
  '',
  null,
  true,
  new Date(-5),
  new ObjectId('65f0c0ffee65f0c0ffee0001'),
  { x: 1 },
  new Uint8Array([1, 2]),
];
const value = (of: readonly unknown[]) => fc.constantFrom<unknown>(...of, ...others, undefined);
const filters: readonly Document[] = [
  { a: { $gte: 1 } },
  { a: { $in: ['x', 1, null] } },
  { a: { $exists: true } },
  { a: { $ne: 1 }, b: { $type: 'string' } },
  { $or: [{ a: 1 }, { b: { $gt: '' } }] },
  { $nor: [{ a: 'x' }] },
  ...['int', 'long', 'double', 'decimal'].map((type) => ({ a: { $type: type } })),
  { a: { $not: { $gt: 1 } }, b: { $exists: false } },
  {},
];

/** Returns the bytes of the documents, with fields in canonical order. */
function bytesOf(documents: readonly Document[]): string[] {
  const ordered = documents.map((one) => Object.fromEntries(Object.entries(one).sort()));
  return ordered.map((one) => Buffer.from(serialize(one)).toString('hex')).sort();
}

it('a covered query returns the same as a query without the index', () => {
  const cases = numbers.chain((of) =>
    fc.record({
      documents: fc.array(
        fc.record({ a: value(of), b: value(of) }).map((one) => ({ ...one })),
        { maxLength: 12 },
      ),
      filter: fc.constantFrom(...filters),
      key: fc.constantFrom<Document>({ a: 1, b: 1 }, { a: -1, b: 1 }, { b: 1, a: -1 }, { b: -1, a: -1 }),
      sparse: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(cases, ({ documents, filter, key, sparse }) => {
      name = `c${++made}`;
      const kept = documents.map((one) =>
        Object.fromEntries(Object.entries(one).filter(([, field]) => field !== undefined)),
      );
      fill(kept.length === 0 ? [{ a: 1 }] : kept, key, { sparse });
      const query = { filter, projection: shown };
      const whole = found({ filter, projection: shown, hint: { $natural: 1 } });
      assert.deepEqual(bytesOf(found(query)), bytesOf(whole));
      if (!sparse) assert.deepEqual(bytesOf(found({ ...query, hint: 'i' })), bytesOf(whole));
    }),
    { numRuns: 200 },
  );
});

describe('a query that tests keys', () => {
  const documents = Array.from({ length: 40 }, (_, _id) => ({ _id, a: _id % 8, b: `t${_id}`, c: 1 }));

  const tested: Array<[what: string, filter: Document, keys: number, documents: number]> = [
    ['a pattern after an equality', { a: 3, b: /9$/ }, 5, 1],
    ['a range after a range', { a: { $gt: 5 }, b: { $gt: 't3' } }, 10, 6],
    [
      'a negation and an alternative',
      { a: { $gt: 5 }, b: { $not: /6$/ }, $or: [{ a: 6 }, { b: 't7' }] },
      10,
      5,
    ],
    ['another field as well', { a: 3, b: /9$/, c: { $gt: 0 } }, 5, 1],
  ];
  for (const [what, filter, keys, read] of tested) {
    it(`reads only documents whose keys pass, with ${what}`, () => {
      fill(documents, { a: 1, b: 1 });
      const plan = explain({ filter });
      assert.deepEqual([plan.stages, plan.keys, plan.documents], [['FETCH', 'IXSCAN'], keys, read]);
      assert.deepEqual(found({ filter }), found({ filter, hint: { $natural: 1 }, sort: { a: 1, b: 1 } }));
    });
  }

  it('shows a pattern at the scan of the index', () => {
    fill(documents, { a: 1, b: 1 });
    const { queryPlanner } = cluster.run({
      explain: { find: name, filter: { a: 3, b: /9$/, c: { $gt: 0 } } },
    });
    const { filter, inputStage } = queryPlanner.winningPlan;
    assert.deepEqual(filter, { c: { $gt: 0 } });
    assert.deepEqual(inputStage.filter, { b: { $regex: '9$' } });
  });

  it('reads documents at once if most keys pass', () => {
    fill(documents, { a: 1, b: 1 });
    const filter = { a: { $gte: 0 }, b: /t/ };
    assert.deepEqual(found({ filter }).length, 40);
    assert.equal(explain({ filter }).documents, 40);
  });

  it('reads documents whose fields are missing or contain arrays', () => {
    fill(
      [
        { _id: 1, a: 1 },
        { _id: 2, a: 1, b: null },
        { _id: 3, a: 1, b: 'x' },
      ],
      { a: 1, b: 1 },
    );
    assert.deepEqual(
      found({ filter: { a: 1, b: { $not: /x/ } } }).map(({ _id }) => _id),
      [1, 2],
    );
    cluster.run({ insert: name, documents: [{ _id: 4, a: 1, b: ['x', 'y'] }] });
    assert.deepEqual(
      found({ filter: { a: 1, b: /y/ } }).map(({ _id }) => _id),
      [4],
    );
  });

  it('changes and counts the right documents', () => {
    fill(documents, { a: 1, b: 1 });
    const q = { a: { $gt: 5 }, b: /4$/ };
    assert.equal(cluster.run({ count: name, query: q }).n, 1);
    assert.equal(
      cluster.run({ update: name, updates: [{ q, u: { $set: { b: 'new' } }, multi: true }] }).n,
      1,
    );
    assert.equal(cluster.run({ delete: name, deletes: [{ q: { a: { $gt: 5 }, b: 'new' }, limit: 0 }] }).n, 1);
    assert.equal(cluster.run({ validate: name }).valid, true);
  });
});
