import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long } from 'bson';
import { TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

interface Target {
  readonly $db?: string;
  readonly collection?: string | 1;
}

const open = (options: Document, { $db = 'test', collection = 1 }: Target = {}, stages: Document[] = []) =>
  cluster.run({
    aggregate: collection,
    pipeline: [{ $changeStream: options }, ...stages],
    cursor: {},
    $db,
  });

function next(id: bigint, { $db = 'test', collection = 1 }: Target = {}): Document[] {
  const sent = cluster.send(
    { getMore: id, collection: collection === 1 ? '$cmd.aggregate' : collection, $db },
    { connectionId: 2 },
  );
  cluster.worker.runTurn();
  return sent.reply?.cursor.nextBatch;
}

const insert = (collection: string, _id: number, $db = 'test') =>
  cluster.run({ insert: collection, documents: [{ _id }], $db });
const kinds = (events: Document[]) =>
  events.map(({ operationType, ns }) =>
    [operationType, ns?.db, ns?.coll].filter((part) => part !== undefined),
  );

describe('a change stream over a database', () => {
  it('returns the changes of its collections, and of no other database', () => {
    const { cursor } = open({});
    insert('a', 1);
    insert('b', 1);
    insert('a', 1, 'other');
    assert.deepEqual(kinds(next(cursor.id)), [
      ['insert', 'test', 'a'],
      ['insert', 'test', 'b'],
    ]);
  });

  it('continues when a collection is dropped, and ends with its database', () => {
    insert('a', 1);
    const { cursor } = open({});
    cluster.run({ drop: 'a' });
    insert('a', 2);
    cluster.run({ dropDatabase: 1 });
    const events = next(cursor.id);
    assert.deepEqual(kinds(events), [
      ['drop', 'test', 'a'],
      ['insert', 'test', 'a'],
      ['drop', 'test', 'a'],
      ['dropDatabase', 'test'],
      ['invalidate'],
    ]);
    assert.deepEqual(kinds(open({ startAfter: events.at(-1)?._id }).cursor.firstBatch), []);
  });

  it('is rejected on internal databases', () => {
    for (const $db of ['admin', 'config', 'local']) assert.equal(open({}, { $db }).code, 73);
  });
});

describe('a change stream over the deployment', () => {
  it('returns the changes of all user databases, and continues when they are dropped', () => {
    const target = { $db: 'admin' };
    const { cursor } = open({ allChangesForCluster: true }, target);
    insert('a', 1, 'one');
    insert('b', 1, 'two');
    cluster.run({ dropDatabase: 1, $db: 'one' });
    assert.deepEqual(kinds(next(cursor.id, target)), [
      ['insert', 'one', 'a'],
      ['insert', 'two', 'b'],
      ['drop', 'one', 'a'],
      ['dropDatabase', 'one'],
    ]);
    insert('c', 1, 'three');
    assert.deepEqual(kinds(next(cursor.id, target)), [['insert', 'three', 'c']]);
  });
});

describe('a change stream that shows expanded events', () => {
  it('returns changes of collections with their UUIDs', () => {
    const { cursor } = open({ showExpandedEvents: true });
    cluster.run({ create: 'a' });
    insert('a', 1);
    cluster.run({ collMod: 'a', changeStreamPreAndPostImages: { enabled: true } });
    cluster.run({ renameCollection: 'test.a', to: 'test.b', $db: 'admin' });
    const events = next(cursor.id);
    assert.deepEqual(
      events.map(({ operationType }) => operationType),
      ['create', 'insert', 'modify', 'rename'],
    );
    const [create, , modify, rename] = events;
    assert.deepEqual(create?.operationDescription.idIndex, { v: 2, key: { _id: 1 }, name: '_id_' });
    assert.equal(create?.nsType, 'collection');
    assert.deepEqual(modify?.operationDescription, { changeStreamPreAndPostImages: { enabled: true } });
    assert.deepEqual(rename?.operationDescription, { to: { db: 'test', coll: 'b' } });
    assert.equal(new Set(events.map(({ collectionUUID }) => collectionUUID.toString())).size, 1);
  });

  it('returns the former options of an index under their own names', () => {
    cluster.run({ createIndexes: 'a', indexes: [{ key: { x: 1 }, name: 'x', expireAfterSeconds: 50 }] });
    const { cursor } = open({ showExpandedEvents: true });
    const changes = [{ hidden: true }, { expireAfterSeconds: 60 }, { prepareUnique: true }];
    for (const change of changes)
      assert.equal(cluster.run({ collMod: 'a', index: { name: 'x', ...change } }).ok, 1);
    assert.deepEqual(
      next(cursor.id).map(({ stateBeforeChange }) => stateBeforeChange.indexOptions),
      [{ hidden: false }, { expireAfterSeconds: 50n }, { prepareUnique: false }],
    );
  });

  it('returns a collMod without changes', () => {
    cluster.run({ create: 'a' });
    const { cursor } = open({ showExpandedEvents: true });
    assert.equal(cluster.run({ collMod: 'a' }).ok, 1);
    const [modify] = next(cursor.id);
    assert.equal(modify?.operationType, 'modify');
    assert.deepEqual(modify?.operationDescription, {});
    assert.deepEqual(modify?.stateBeforeChange, { collectionOptions: { uuid: modify?.collectionUUID } });
    cluster.run({ create: 'empty', viewOn: 'a' });
    assert.equal(cluster.run({ collMod: 'empty' }).ok, 1);
    const [, changed] = next(cursor.id);
    assert.deepEqual([changed?.operationType, changed?.ns.coll], ['modify', 'empty']);
  });

  it('returns changes of views, but time series only as collections', () => {
    const { cursor } = open({ showExpandedEvents: true });
    const quiet = open({});
    const pipeline = [{ $match: { a: 1 } }];
    cluster.run({ create: 'v', viewOn: 'a', pipeline });
    cluster.run({ collMod: 'v', viewOn: 'b', pipeline: [] });
    cluster.run({ drop: 'v' });
    cluster.run({ create: 't', timeseries: { timeField: 'at' } });
    cluster.run({ drop: 't' });
    const events = next(cursor.id);
    assert.deepEqual(
      events.map(({ operationType, ns, nsType, operationDescription }) => [
        operationType,
        ns.coll,
        nsType,
        operationDescription?.viewOn,
      ]),
      [
        ['create', 'v', 'view', 'a'],
        ['modify', 'v', undefined, 'b'],
        ['drop', 'v', undefined, undefined],
        ['create', 't', 'timeseries', undefined],
        ['drop', 't', undefined, undefined],
      ],
    );
    assert.deepEqual(events[0]?.operationDescription, { viewOn: 'a', pipeline });
    assert.deepEqual(kinds(next(quiet.cursor.id)), [['drop', 'test', 't']]);
    const [first] = events;
    assert.deepEqual(
      open({ showExpandedEvents: true, resumeAfter: first?._id }).cursor.firstBatch,
      events.slice(1),
    );
  });

  it('omits the measurements of time series', () => {
    const { cursor } = open({ showExpandedEvents: true });
    cluster.run({ create: 't', timeseries: { timeField: 'at' } });
    cluster.run({ insert: 't', documents: [{ at: new Date(0) }] });
    cluster.run({ create: 'k', clusteredIndex: { key: { _id: 1 }, unique: true } });
    const events = next(cursor.id);
    assert.deepEqual(kinds(events), [
      ['create', 'test', 't'],
      ['create', 'test', 'k'],
    ]);
    assert.deepEqual(
      events.map(({ operationDescription }) => operationDescription.idIndex),
      [undefined, undefined],
    );
  });

  it('disambiguates paths', () => {
    const pad = 'x'.repeat(100);
    cluster.run({ insert: 'a', documents: [{ _id: 1, o: { 0: 1, pad }, list: [{ n: 1, pad }] }] });
    const { cursor } = open({ showExpandedEvents: true });
    const q = { _id: 1 };
    cluster.run({ update: 'a', updates: [{ q, u: { $set: { 'o.0': 2, 'list.0.n': 2 } } }] });
    const [{ updateDescription } = {}] = next(cursor.id);
    assert.deepEqual(updateDescription.updatedFields, { 'o.0': 2, 'list.0.n': 2 });
    assert.deepEqual(updateDescription.disambiguatedPaths, { 'o.0': ['o', '0'] });
  });
});

describe('a change stream over a collection that is renamed', () => {
  for (const collection of ['a', 'b']) {
    it(`ends for the ${collection === 'a' ? 'source' : 'target'}`, () => {
      insert('a', 1);
      const target = { collection };
      const { cursor } = open({}, target);
      cluster.run({ renameCollection: 'test.a', to: 'test.b', $db: 'admin' });
      const events = next(cursor.id, target);
      assert.deepEqual(kinds(events), [['rename', 'test', 'a'], ['invalidate']]);
      assert.deepEqual(events[0]?.to, { db: 'test', coll: 'b' });
    });
  }
});

describe('the changes of a transaction', () => {
  it('are returned together, each with its session, and can be resumed in between', () => {
    cluster.run({ create: 'a' });
    const { cursor } = open({});
    const session = { lsid: cluster.run({ startSession: 1 }).id, txnNumber: Long.fromNumber(1) };
    const statement = { ...session, autocommit: false };
    cluster.run({ insert: 'a', documents: [{ _id: 1 }, { _id: 2 }], ...statement, startTransaction: true });
    cluster.run({ delete: 'a', deletes: [{ q: { _id: 1 }, limit: 1 }], ...statement });
    assert.equal(cluster.run({ commitTransaction: 1, ...statement, $db: 'admin' }).ok, 1);
    const events = next(cursor.id);
    assert.ok(events.length >= 1);
    assert.equal(new Set(events.map(({ clusterTime }) => clusterTime.toString())).size, 1);
    for (const event of events) assert.equal(event.txnNumber, 1n);
    for (const [i, { _id }] of events.entries()) {
      assert.deepEqual(open({ resumeAfter: _id }).cursor.firstBatch, events.slice(i + 1));
    }
  });
});

describe('the pipeline of a change stream', () => {
  it('rejects unknown stages and those not allowed in change streams', () => {
    assert.equal(open({}, {}, [{ $group: { _id: 1 } }]).code, 20);
    assert.equal(open({}, {}, [{ $group: { _id: 1 } }, { $nothing: 1 }]).code, 40324);
  });

  it('has no read concern other than majority', () => {
    const at = (readConcern: Document) =>
      cluster.run({ aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: {}, readConcern });
    assert.equal(at({ level: 'majority' }).ok, 1);
    assert.equal(at({}).ok, 1);
    assert.deepEqual(
      ['local', 'available', 'snapshot'].map((level) => at({ level }).code),
      [72, 72, 72],
    );
  });

  it('must preserve the id of every event', () => {
    const { cursor } = open({}, {}, [{ $project: { _id: 0 } }]);
    insert('a', 1);
    const sent = cluster.send({ getMore: cursor.id, collection: '$cmd.aggregate' });
    cluster.worker.runTurn();
    assert.equal(sent.reply?.code, 280);
    assert.deepEqual(sent.reply?.errorLabels, ['NonResumableChangeStreamError']);
  });

  it('may end with the stage that splits events', () => {
    const split = { $changeStreamSplitLargeEvent: {} };
    assert.equal(open({}, {}, [{ $match: {} }, split]).ok, 1);
    assert.equal(open({}, {}, [split, { $match: {} }]).code, 7182802);
    assert.equal(open({}, {}, [{ $changeStreamSplitLargeEvent: { a: 1 } }]).code, 7182800);
  });

  it('splits an event that is too large, and resumes after each fragment', () => {
    cluster.run({ create: 'a', changeStreamPreAndPostImages: { enabled: true } });
    const half = 'x'.repeat(9 * 1024 * 1024);
    cluster.run({ insert: 'a', documents: [{ _id: 1, half }] });
    const options = { fullDocument: 'required', fullDocumentBeforeChange: 'required' };
    const split = [{ $changeStreamSplitLargeEvent: {} }];
    const { cursor } = open(options, {}, split);
    const whole = open(options).cursor;
    cluster.run({ update: 'a', updates: [{ q: { _id: 1 }, u: { $set: { n: 1 } } }] });
    assert.equal(cluster.run({ getMore: whole.id, collection: '$cmd.aggregate' }).code, 10334);
    const [first] = next(cursor.id);
    const [second] = next(cursor.id);
    assert.deepEqual(first?.splitEvent, { fragment: 1, of: 2 });
    assert.deepEqual(second?.splitEvent, { fragment: 2, of: 2 });
    assert.deepEqual(
      open({ ...options, resumeAfter: first?._id }, {}, split).cursor.firstBatch[0]?._id,
      second?._id,
    );
    assert.equal({ ...first, ...second }.fullDocument.n, 1);
  });
});

describe('a token', () => {
  it('of an event outside the stream is rejected before the next event', () => {
    const { cursor } = open({}, { collection: 'a' });
    insert('a', 1);
    const [{ _id: resumeAfter } = {}] = next(cursor.id, { collection: 'a' });
    const foreign = open({ resumeAfter }, { collection: 'b' }).cursor;
    assert.deepEqual(foreign.firstBatch, []);
    insert('b', 1);
    assert.equal(cluster.run({ getMore: foreign.id, collection: 'b' }).code, 280);
    assert.equal(open({ resumeAfter }, { collection: 'b' }).code, 280);
    assert.equal(open({ resumeAfter }).ok, 1);
  });

  it('that ends too early is rejected', () => {
    const { cursor } = open({}, { collection: 'a' });
    insert('a', 1);
    const [{ _id: { _data = '' } = {} } = {}] = next(cursor.id, { collection: 'a' });
    const codeOf = (data: string) => open({ resumeAfter: { _data: data } }, { collection: 'a' }).code;
    const name = Buffer.from('documentKey').toString('hex').toUpperCase();
    assert.equal(codeOf(_data.slice(0, -2)), undefined);
    assert.equal(codeOf(_data.slice(0, -4)), 15);
    assert.equal(codeOf(_data.slice(0, 8)), 15);
    assert.equal(codeOf(_data.slice(0, _data.indexOf(name) + 4)), 50816);
  });

  it('has the server’s format', () => {
    const { cursor } = open({}, { collection: 'a' });
    assert.match(cursor.postBatchResumeToken._data, /^82[0-9A-F]{16}2B0429296E1404$/);
    insert('a', 1);
    const [event] = next(cursor.id, { collection: 'a' });
    assert.match(event?._id._data, /^82[0-9A-F]{16}2B042C0100296E5A1004[0-9A-F]{32}46.*0004$/);
  });
});
