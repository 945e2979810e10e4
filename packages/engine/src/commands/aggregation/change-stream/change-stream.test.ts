import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Timestamp } from 'bson';
import { CLUSTER_ID, info, type Sent, TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

const open = (options: Document = {}, stages: Document[] = []): Document =>
  cluster.run({ aggregate: 'c', pipeline: [{ $changeStream: options }, ...stages], cursor: {} });
const ask = (id: bigint, more: Document = {}) =>
  cluster.send({ getMore: id, collection: 'c', ...more }, { connectionId: 2 });
/** Returns the documents that are available without waiting. */
const next = (id: bigint, more: Document = {}): Document[] => {
  const sent = ask(id, more);
  cluster.worker.runTurn();
  return sent.reply?.cursor.nextBatch;
};
const insert = (...ids: number[]) =>
  cluster.run({ insert: 'c', documents: ids.map((_id) => ({ _id, v: 0 })) });
const update = (u: Document) => cluster.run({ update: 'c', updates: [{ q: { _id: 1 }, u }] });
const eventsOf = (events: Document[]) =>
  events.map(({ _id, clusterTime: _clusterTime, wallTime: _wallTime, ...event }) => event);
const isAnswered = ({ reply }: Sent) => reply !== undefined;
const ns = { db: 'test', coll: 'c' };

describe('a change stream', () => {
  it('does not use the default collation of its collection', () => {
    const collation = { locale: 'en', strength: 2 };
    cluster.run({ create: 'c', collation });
    const pipeline = [{ $changeStream: {} }, { $match: { 'fullDocument.name': 'VEGA' } }];
    const [plain, folded] = [{}, { collation }].map(
      (more) => cluster.run({ aggregate: 'c', pipeline, cursor: {}, ...more }).cursor.id,
    );
    const documents = ['vega', 'VEGA'].map((name, _id) => ({ _id, name }));
    cluster.run({ insert: 'c', documents });
    assert.deepEqual(
      [plain, folded].map((id) => next(id).map(({ documentKey }) => documentKey._id)),
      [[1], [0, 1]],
    );
  });

  it('returns each change of its collection, and of no other', () => {
    insert(9);
    const { cursor } = open();
    assert.deepEqual(cursor.firstBatch, []);
    insert(1);
    cluster.run({ insert: 'other', documents: [{ _id: 1 }] });
    update({ $set: { v: 1, 'a.b': 1 } });
    update({ $unset: { v: 1 } });
    update({ w: 1 });
    cluster.run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    const documentKey = { _id: 1 };
    const none = { removedFields: [], truncatedArrays: [] };
    assert.deepEqual(eventsOf(next(cursor.id)), [
      { operationType: 'insert', fullDocument: { _id: 1, v: 0 }, ns, documentKey },
      {
        operationType: 'update',
        ns,
        documentKey,
        updateDescription: { updatedFields: { v: 1, a: { b: 1 } }, ...none },
      },
      {
        operationType: 'update',
        ns,
        documentKey,
        updateDescription: { updatedFields: {}, ...none, removedFields: ['v'] },
      },
      { operationType: 'replace', fullDocument: { _id: 1, w: 1 }, ns, documentKey },
      { operationType: 'delete', ns, documentKey },
    ]);
  });

  it('returns changes inside documents and arrays by path', () => {
    const pad = 'x'.repeat(100);
    cluster.run({ insert: 'c', documents: [{ _id: 1, a: { b: 1, pad }, list: [pad, { n: 1, pad }, 3] }] });
    const { cursor } = open();
    update({ $set: { 'a.b': 2, 'list.1.n': 2, 'list.3': 4 } });
    update({ $set: { list: [pad] } });
    assert.deepEqual(
      next(cursor.id).map(({ updateDescription }) => updateDescription),
      [
        {
          updatedFields: { 'a.b': 2, 'list.3': 4, 'list.1.n': 2 },
          removedFields: [],
          truncatedArrays: [],
        },
        { updatedFields: { list: [pad] }, removedFields: [], truncatedArrays: [] },
      ],
    );
  });

  it('returns changes inside small documents by path, with ambiguous paths', () => {
    cluster.run({
      insert: 'c',
      documents: [{ _id: 1, a: { b: 1, 1: 1 }, list: [{ 1: 1 }], rest: [1, 2, 'x'.repeat(200)] }],
    });
    const { cursor } = open({ showExpandedEvents: true });
    update({ $set: { 'a.b': 2 } });
    update({ $unset: { 'a.b': 1 } });
    update({ $set: { 'a.1': 2, 'list.0.1': 2 } });
    update({ $set: { 'list.0': 3 } });
    update([{ $set: { rest: { $slice: ['$rest', -1] }, list: [] } }]);
    update([{ $unset: ['list', 'rest'] }]);
    const none = { updatedFields: {}, removedFields: [], truncatedArrays: [], disambiguatedPaths: {} };
    const x = 'x'.repeat(200);
    assert.deepEqual(
      next(cursor.id).map(({ operationType, updateDescription }) => updateDescription ?? operationType),
      [
        { ...none, updatedFields: { 'a.b': 2 } },
        { ...none, removedFields: ['a.b'] },
        {
          ...none,
          updatedFields: { 'a.1': 2, 'list.0.1': 2 },
          disambiguatedPaths: { 'a.1': ['a', '1'], 'list.0.1': ['list', 0, '1'] },
        },
        { ...none, updatedFields: { 'list.0': 3 } },
        { ...none, updatedFields: { list: [], rest: [x] } },
        'replace',
      ],
    );
  });

  it('answers as soon as a change is committed', () => {
    const { cursor } = open();
    const waiting = ask(cursor.id, { maxTimeMS: 5_000 });
    cluster.worker.runTurn();
    assert.equal(isAnswered(waiting), false);
    cluster.run({ insert: 'other', documents: [{}] });
    assert.equal(isAnswered(waiting), false);
    insert(1);
    assert.equal(waiting.reply?.cursor.nextBatch.length, 1);
  });

  it('returns an empty batch when the wait time is over', () => {
    const { cursor } = open();
    const waiting = ask(cursor.id, { maxTimeMS: 5_000 });
    cluster.worker.runTurn();
    cluster.clock.advance(4_900);
    assert.equal(isAnswered(waiting), false);
    cluster.clock.advance(100);
    assert.deepEqual(waiting.reply?.cursor.nextBatch, []);
    assert.equal(waiting.reply?.cursor.id, cursor.id);
  });

  it('answers waiting readers before its cluster is closed', () => {
    const waiting = ask(open().cursor.id);
    cluster.worker.runTurn();
    cluster.reopen();
    assert.deepEqual(waiting.reply?.cursor.nextBatch, []);
  });

  it('resumes after any of its tokens, also after a restart', () => {
    const { cursor } = open();
    insert(1, 2, 3);
    const events = next(cursor.id);
    cluster.reopen();
    for (const [i, { _id }] of events.entries()) {
      assert.deepEqual(open({ resumeAfter: _id }).cursor.firstBatch, events.slice(i + 1));
      assert.deepEqual(open({ startAfter: _id }).cursor.firstBatch, events.slice(i + 1));
    }
    assert.deepEqual(open({ resumeAfter: cursor.postBatchResumeToken }).cursor.firstBatch, events);
    assert.deepEqual(
      open({ startAtOperationTime: events[1]?.clusterTime }).cursor.firstBatch,
      events.slice(1),
    );
  });

  it('has tokens in commit order, also without events of its own', () => {
    const { cursor } = open();
    const token = () => {
      const waiting = ask(cursor.id);
      cluster.worker.runTurn();
      cluster.clock.advance(1_000);
      return waiting.reply?.cursor.postBatchResumeToken._data;
    };
    const tokens = [cursor.postBatchResumeToken._data];
    insert(1);
    tokens.push(token());
    cluster.run({ insert: 'other', documents: [{}] });
    tokens.push(token());
    assert.deepEqual(tokens.toSorted(), tokens);
    assert.equal(new Set(tokens).size, tokens.length);
  });

  it('ends when its collection is dropped', () => {
    insert(1);
    const { cursor } = open();
    cluster.run({ drop: 'c' });
    const sent = ask(cursor.id);
    cluster.worker.runTurn();
    const { nextBatch, id } = sent.reply?.cursor ?? {};
    assert.deepEqual(eventsOf(nextBatch), [{ operationType: 'drop', ns }, { operationType: 'invalidate' }]);
    assert.equal(id, 0n);
    const [drop, invalidate] = nextBatch;
    assert.equal(open({ resumeAfter: invalidate._id }).code, 260);
    assert.deepEqual(open({ resumeAfter: drop._id }).cursor.firstBatch, [invalidate]);
    insert(5);
    const again = open({ startAfter: invalidate._id }).cursor;
    assert.deepEqual(
      again.firstBatch.map(({ fullDocument }: Document) => fullDocument._id),
      [5],
    );
  });

  it('looks up current documents on request', () => {
    insert(1);
    const { cursor } = open({ fullDocument: 'updateLookup' });
    update({ $set: { v: 1 } });
    update({ $set: { v: 2 } });
    assert.deepEqual(
      next(cursor.id).map(({ fullDocument }) => fullDocument),
      [
        { _id: 1, v: 2 },
        { _id: 1, v: 2 },
      ],
    );
  });

  it('runs the following stages on every event', () => {
    const { cursor } = open({}, [
      { $match: { operationType: 'insert', 'documentKey._id': { $gt: 1 } } },
      { $project: { key: '$documentKey._id' } },
    ]);
    insert(1, 2, 3);
    assert.deepEqual(
      next(cursor.id).map(({ key }) => key),
      [2, 3],
    );
    assert.equal(open({}, [{ $group: { _id: 1 } }]).code, 20);
  });

  it('is rejected if the oplog no longer has its start', () => {
    const { cursor } = open();
    const seconds = Math.floor(cluster.clock.now() / 1000);
    const startAtOperationTime = new Timestamp({ t: seconds - 100, i: 1 });
    assert.deepEqual(open({ startAtOperationTime }).cursor.firstBatch, []);
    cluster.worker.configure(CLUSTER_ID, { ...info, oplogBytes: 2_000 });
    insert(...Array.from({ length: 50 }, (_, i) => i));
    assert.equal(open({ startAtOperationTime }).code, 286);
    assert.equal(open({ resumeAfter: cursor.postBatchResumeToken }).code, 286);
    const late = ask(cursor.id);
    cluster.worker.runTurn();
    assert.equal(late.reply?.code, 286);
    assert.equal(open().ok, 1);
  });

  it('is rejected with an invalid token, and with two starts', () => {
    const { postBatchResumeToken: resumeAfter } = open().cursor;
    assert.equal(open({ resumeAfter: { _data: '8A' } }).code, 260);
    assert.equal(open({ resumeAfter, startAfter: resumeAfter }).code, 50865);
    assert.equal(open({ resumeAfter, startAtOperationTime: new Timestamp({ t: 1, i: 1 }) }).code, 40674);
  });

  const refused: Array<[string, Document, number]> = [
    ['another fullDocument', { fullDocument: 'x' }, 2],
    ['an unknown option', { x: 1 }, 40415],
    ['another fullDocumentBeforeChange', { fullDocumentBeforeChange: 'default' }, 2],
    ['a number for a boolean', { showExpandedEvents: 1 }, 14],
    ['all changes of the deployment, on a collection', { allChangesForCluster: true }, 72],
    ['a token without data', { resumeAfter: {} }, 40647],
    ['a token whose data is empty', { startAfter: { _data: '' } }, 40649],
    ['a token whose data is no hexadecimal number', { startAfter: { _data: 'xyz' } }, 9],
    ['a token whose data begins with no known type', { startAfter: { _data: '00' } }, 50811],
    ['a token with another kind of type bits', { startAfter: { _data: '00', _typeBits: 'x' } }, 40648],
  ];
  for (const [name, options, code] of refused) {
    it(`with ${name} is rejected`, () => assert.equal(open(options).code, code));
  }
});
