import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const documents = Array.from({ length: 10 }, (_, i) => ({ _id: i, v: i % 2 }));

before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents });
});
after(() => cluster.remove());

const explain = (command: Document, verbosity = 'executionStats') =>
  cluster.run({ explain: command, verbosity });

/** Returns the names of the stages, outermost first. */
function stagesOf(plan: Document): string[] {
  return [plan.stage, ...(plan.inputStage ? stagesOf(plan.inputStage) : [])];
}

describe('the filter of a stage', () => {
  before(() => {
    cluster.run({ insert: 'r', documents: [{ _id: 1, a: 1, m: [1, 2], s: 'x' }] });
    const indexes = [{ a: 1 }, { m: 1 }, { a: 1, s: 1 }].map((key) => ({
      key,
      name: Object.keys(key).join('_'),
    }));
    cluster.run({ createIndexes: 'r', indexes });
  });

  const filters: ReadonlyArray<readonly [Document, string, Document | undefined]> = [
    [{ a: 1, b: 2 }, 'a', { b: { $eq: 2 } }],
    [{ a: { $gt: 1, $lt: 5 } }, 'a', undefined],
    [{ a: { $in: [1, 2] }, b: /x/ }, 'a', { b: { $regex: 'x' } }],
    [{ m: { $gt: 1 } }, 'm', undefined],
    [{ m: { $gt: 1, $lt: 5 } }, 'm', { $and: [{ m: { $lt: 5 } }, { m: { $gt: 1 } }] }],
    [{ a: 1, s: { $gte: 'a' } }, 'a_s', undefined],
    [{ _id: { $gt: 1 }, a: { $ne: 1 } }, '_id_', { a: { $not: { $eq: 1 } } }],
  ];
  for (const [filter, hint, expected] of filters) {
    it(`has the conditions of ${JSON.stringify(filter)} that the index ${hint} does not answer`, () => {
      const { winningPlan } = explain({ find: 'r', filter, hint }, 'queryPlanner').queryPlanner;
      assert.deepEqual([winningPlan.stage, winningPlan.filter], ['FETCH', expected]);
    });
  }

  it('is the whole parsed query in a collection scan', () => {
    const filter = { b: { $gte: 1 }, a: 2 };
    const { queryPlanner } = explain({ find: 'c', filter }, 'queryPlanner');
    const parsed = { $and: [{ a: { $eq: 2 } }, { b: { $gte: 1 } }] };
    assert.deepEqual([queryPlanner.parsedQuery, queryPlanner.winningPlan.filter], [parsed, parsed]);
    assert.equal(typeof queryPlanner.optimizationTimeMillis, 'number');
    assert.equal(explain({ find: 'c', filter: { $and: 1 } }, 'queryPlanner').code, 2);
  });
});

describe('explain', () => {
  const plans: Array<[string, Document, string[], number, number, number]> = [
    ['a collection scan', { filter: { v: 1 } }, ['COLLSCAN'], 5, 0, 10],
    ['a lookup by _id', { filter: { _id: 3 } }, ['EXPRESS_IXSCAN'], 1, 1, 1],
    [
      'a lookup by _id with one field',
      { filter: { _id: { $eq: 3 } }, projection: { v: 1 } },
      ['EXPRESS_IXSCAN'],
      1,
      1,
      1,
    ],
    ['a lookup by _id with a hint', { filter: { _id: 3 }, hint: '_id_' }, ['FETCH', 'IXSCAN'], 1, 1, 1],
    ['several _ids', { filter: { _id: { $in: [3, 4] } } }, ['FETCH', 'IXSCAN'], 2, 2, 2],
    ['a range of _ids', { filter: { _id: { $gt: 6 } } }, ['FETCH', 'IXSCAN'], 3, 3, 3],
    ['a sort by _id', { sort: { _id: -1 }, limit: 2 }, ['LIMIT', 'FETCH', 'IXSCAN'], 2, 2, 2],
    ['another sort', { sort: { v: 1 }, limit: 3 }, ['SORT', 'COLLSCAN'], 3, 0, 10],
    [
      'a range between keys',
      { min: { _id: 4 }, max: { _id: 6 }, hint: '_id_', sort: { v: 1 } },
      ['SORT', 'FETCH', 'IXSCAN'],
      2,
      2,
      2,
    ],
    ['skip and limit', { skip: 2, limit: 3 }, ['LIMIT', 'SKIP', 'COLLSCAN'], 3, 0, 5],
    ['a projection', { projection: { v: 1 } }, ['PROJECTION_SIMPLE', 'COLLSCAN'], 10, 0, 10],
  ];
  for (const [what, find, stages, nReturned, keys, docs] of plans) {
    it(`describes the plan and statistics of ${what}`, () => {
      const { queryPlanner, executionStats } = explain({ find: 'c', ...find });
      assert.deepEqual(stagesOf(queryPlanner.winningPlan), stages);
      const { totalKeysExamined, totalDocsExamined } = executionStats;
      assert.deepEqual(
        [executionStats.nReturned, totalKeysExamined, totalDocsExamined],
        [nReturned, keys, docs],
      );
    });
  }

  it('shows whether the plan includes all stages of the pipeline', () => {
    cluster.run({ create: 'odd', viewOn: 'c', pipeline: [{ $match: { v: 1 } }] });
    const [match, group] = [{ $match: { v: 1 } }, { $group: { _id: '$v' } }];
    const shown: Array<[Document, boolean | undefined]> = [
      [{ aggregate: 'c', pipeline: [match], cursor: {} }, true],
      [{ aggregate: 'c', pipeline: [], cursor: {} }, true],
      [{ aggregate: 'odd', pipeline: [], cursor: {} }, true],
      [{ find: 'odd' }, true],
      [{ aggregate: 'c', pipeline: [match, group], cursor: {} }, undefined],
      [{ find: 'c', filter: { v: 1 } }, undefined],
      [{ count: 'c', query: { v: 1 } }, undefined],
    ];
    for (const [command, expected] of shown) {
      const { queryPlanner, stages } = explain(command, 'queryPlanner');
      const { optimizedPipeline } = queryPlanner ?? stages[0].$cursor.queryPlanner;
      assert.equal(optimizedPipeline, expected, JSON.stringify(command));
    }
  });

  it('counts the steps of each stage', () => {
    const steps = ({ stage, works, advanced, needTime, inputStage }: Document): unknown[] => [
      [stage, works, advanced, needTime],
      ...(inputStage ? steps(inputStage) : []),
    ];
    const stepsOf = (find: Document) => steps(explain({ find: 'c', ...find }).executionStats.executionStages);
    assert.deepEqual(stepsOf({ filter: { v: 1 } }), [['COLLSCAN', 11, 5, 5]]);
    assert.deepEqual(stepsOf({ filter: { _id: { $gt: 6 }, v: 1 } }), [
      ['FETCH', 4, 2, 1],
      ['IXSCAN', 4, 3, 0],
    ]);
    assert.deepEqual(stepsOf({ sort: { v: 1 } }), [
      ['SORT', 22, 10, 11],
      ['COLLSCAN', 11, 10, 0],
    ]);
  });

  it('does not read to the end below a limit that is reached', () => {
    const ends = ({ stage, works, needTime, isEOF, inputStage }: Document): unknown[] => [
      [stage, works, needTime, isEOF],
      ...(inputStage ? ends(inputStage) : []),
    ];
    const endsOf = (find: Document) => ends(explain({ find: 'c', ...find }).executionStats.executionStages);
    assert.deepEqual(endsOf({ filter: { _id: { $gte: 0 } }, limit: 2 }), [
      ['LIMIT', 3, 0, 1],
      ['FETCH', 2, 0, 0],
      ['IXSCAN', 2, 0, 0],
    ]);
    assert.deepEqual(endsOf({ filter: { _id: { $gt: 8 } }, limit: 2 }), [
      ['LIMIT', 2, 0, 1],
      ['FETCH', 2, 0, 1],
      ['IXSCAN', 2, 0, 1],
    ]);
    assert.deepEqual(endsOf({ sort: { v: 1 }, limit: 2 }).at(-1), ['COLLSCAN', 11, 0, 1]);
  });

  it('counts keys of documents that a multikey index has read before', () => {
    cluster.run({ insert: 'tags', documents: [{ t: [1, 2, 3] }, { t: 2 }] });
    cluster.run({ createIndexes: 'tags', indexes: [{ key: { t: 1 }, name: 't' }] });
    const { inputStage } = explain({ find: 'tags', filter: { t: { $gt: 0 } } }).executionStats
      .executionStages;
    const { keysExamined, dupsTested, dupsDropped, nReturned } = inputStage;
    assert.deepEqual([keysExamined, dupsTested, dupsDropped, nReturned], [4, 4, 2, 2]);
  });

  it('plans without running for queryPlanner', () => {
    const reply = explain({ find: 'c', filter: { v: 1 } }, 'queryPlanner');
    assert.equal(reply.executionStats, undefined);
    assert.equal(reply.queryPlanner.namespace, 'test.c');
    assert.deepEqual(reply.command, { find: 'c', filter: { v: 1 }, $db: 'test' });
  });

  it('describes writes without executing them', () => {
    const stage = (command: Document) => explain(command).executionStats.executionStages;
    const update = { q: { v: 1 }, u: { $set: { v: 1, w: 1 } }, multi: true };
    const updated = stage({ update: 'c', updates: [update] });
    assert.deepEqual([updated.stage, updated.nMatched, updated.nWouldModify], ['UPDATE', 5, 5]);
    const deleted = stage({ delete: 'c', deletes: [{ q: { v: 0 }, limit: 0 }] });
    assert.deepEqual([deleted.stage, deleted.nWouldDelete], ['BATCHED_DELETE', 5]);
    const single = explain({ delete: 'c', deletes: [{ q: { v: 0 }, limit: 1 }] });
    assert.deepEqual(
      [single.queryPlanner.winningPlan.stage, single.queryPlanner.winningPlan.inputStage.stage],
      ['DELETE', 'COLLSCAN'],
    );
    const modified = stage({ findAndModify: 'c', query: { _id: 77 }, update: { v: 1 }, upsert: true });
    assert.deepEqual([modified.nWouldModify, modified.nWouldUpsert], [0, 1]);
    assert.deepEqual(cluster.documents('c'), documents);
  });

  it('has a single stage for a write by _id', () => {
    const executed = (command: Document) => explain(command).executionStats.executionStages;
    const updated = executed({ update: 'c', updates: [{ q: { _id: 3 }, u: { $set: { w: 1 } } }] });
    const { keyPattern, indexName, keysExamined, docsExamined, nReturned } = updated;
    assert.deepEqual([updated.stage, keyPattern, indexName], ['EXPRESS_UPDATE', '{ _id: 1 }', '_id_']);
    assert.deepEqual([keysExamined, docsExamined, nReturned], [1, 1, 0]);
    const { nWouldModify, nWouldUpsert, nWouldDelete } = updated;
    assert.deepEqual([nWouldModify, nWouldUpsert, nWouldDelete], [1, 0, 0]);
    const deleted = executed({ delete: 'c', deletes: [{ q: { _id: { $eq: 3 } }, limit: 0 }] });
    assert.deepEqual([deleted.stage, deleted.nWouldDelete], ['EXPRESS_DELETE', 1]);
    const removed = executed({ findAndModify: 'c', query: { _id: 3 }, remove: true });
    assert.deepEqual([removed.stage, removed.nReturned], ['EXPRESS_DELETE', 1]);
    const unchanged = executed({ findAndModify: 'c', query: { _id: 3 }, update: { $set: { v: 1 } } });
    assert.deepEqual([unchanged.stage, unchanged.nWouldModify], ['EXPRESS_UPDATE', 0]);
    const others: Document[] = [
      { update: 'c', updates: [{ q: { _id: 3 }, u: { $set: { w: 1 } }, upsert: true }] },
      { update: 'c', updates: [{ q: { _id: 3 }, u: { $set: { w: 1 } }, hint: '_id_' }] },
      { update: 'c', updates: [{ q: { _id: 3 }, u: { $set: { w: 1 } }, sort: { v: 1 } }] },
      { findAndModify: 'c', query: { _id: 3 }, update: { $set: { w: 1 } }, fields: { v: 1 } },
    ];
    for (const command of others) assert.equal(executed(command).stage, 'UPDATE', JSON.stringify(command));
  });

  it('describes a change stream as an oplog scan with internal stages', () => {
    const pipeline = [
      { $changeStream: { fullDocument: 'updateLookup' } },
      { $match: { operationType: 'insert' } },
    ];
    const { stages } = explain({ aggregate: 'c', pipeline, cursor: {} });
    const [{ $cursor }, ...others] = stages;
    assert.equal($cursor.queryPlanner.namespace, 'local.oplog.rs');
    assert.equal($cursor.queryPlanner.winningPlan.stage, 'COLLSCAN');
    assert.deepEqual(
      others.map((stage: Document) => stage.$changeStream?.stage ?? Object.keys(stage)[0]),
      [
        'internalUnwindTransaction',
        'internalTransform',
        'internalCheckInvalidate',
        'internalCheckResumability',
        'internalAddPostImage',
        '$match',
      ],
    );
    const { startAtOperationTime, ...options } = others[1].$changeStream.options;
    assert.deepEqual(options, { fullDocument: 'updateLookup', fullDocumentBeforeChange: 'off' });
    assert.ok(startAtOperationTime);
    const { resumeToken } = others[3].$changeStream;
    assert.match(resumeToken._data, /^82[0-9A-F]+$/);
    const whole = { aggregate: 1, pipeline: [{ $changeStream: { allChangesForCluster: true } }], cursor: {} };
    const inAdmin = cluster.run({ explain: whole, $db: 'admin' }).stages;
    assert.ok(!inAdmin.some((one: Document) => one.$changeStream?.stage === 'internalCheckInvalidate'));
    const watching = { aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: {} };
    assert.equal(cluster.run({ ...watching, explain: true }).ok, 1);
    assert.equal(explain({ ...watching, pipeline: [{ $changeStream: { fullDocument: 'some' } }] }).code, 2);
    assert.equal(explain({ ...watching, pipeline: [{ $changeStream: {} }, { $out: 'o' }] }).code, 20);
  });

  it('describes counts', () => {
    const counted = explain({ count: 'c', query: { v: 1 } }).executionStats.executionStages;
    assert.deepEqual([counted.stage, counted.nCounted], ['COUNT', 5]);
    const all = explain({ count: 'c' }).executionStats;
    assert.deepEqual(
      [all.executionStages.stage, all.executionStages.nCounted, all.totalDocsExamined],
      ['RECORD_STORE_FAST_COUNT', 10, 0],
    );
  });

  it('lists pipeline stages after the access stage', () => {
    const pipeline = [{ $match: { _id: 1 } }, { $group: { _id: '$v' } }];
    const { stages } = explain({ aggregate: 'c', pipeline, cursor: {} });
    assert.deepEqual(stagesOf(stages[0].$cursor.queryPlanner.winningPlan), ['FETCH', 'IXSCAN']);
    assert.deepEqual(stages.slice(1), pipeline.slice(1));
    const option = cluster.run({ aggregate: 'c', pipeline: pipeline.slice(0, 1), explain: true });
    assert.equal(option.queryPlanner.winningPlan.stage, 'EXPRESS_IXSCAN');
  });

  it('returns the same hash for queries of one shape', () => {
    const hash = (filter: Document) => explain({ find: 'c', filter }).queryShapeHash;
    assert.equal(hash({ v: 1 }), hash({ v: 2 }));
    assert.notEqual(hash({ v: 1 }), hash({ w: 1 }));
    assert.match(hash({}), /^[0-9A-F]{64}$/);
  });

  it('returns EOF for a missing collection', () => {
    assert.equal(explain({ find: 'none' }).queryPlanner.winningPlan.stage, 'EOF');
  });

  it('rejects commands that cannot be explained', () => {
    assert.equal(explain({ find: 'c' }, 'much').code, 2);
    assert.equal(explain({}).code, 59);
    assert.equal(explain({ nonsense: 1 }).code, 59);
    assert.equal(explain({ insert: 'c', documents: [{}] }).code, 20);
    assert.equal(explain({ find: 'c', foo: 1 }).code, 40415);
    assert.equal(explain({ find: 'c', filter: { $foo: 1 } }).code, 2);
  });

  it('requires the privileges of the command', () => {
    const user = { ...admin, roles: [{ role: 'read', database: 'test' }] };
    const run = (command: Document) => cluster.run({ explain: command }, { user });
    assert.equal(run({ find: 'c' }).ok, 1);
    assert.equal(run({ delete: 'c', deletes: [{ q: {}, limit: 1 }] }).code, 13);
  });
});
