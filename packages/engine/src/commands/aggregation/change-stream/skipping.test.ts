import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type Mock, mock } from 'node:test';
import { type Document, UUID } from 'bson';
import { EntryScan } from '../../../storage/oplog/entry-scan.ts';
import { Oplog } from '../../../storage/oplog/oplog.ts';
import { type Sent, TestCluster } from '../../../worker/testing.ts';

/* These tests count how many entries change streams read whose pipelines return none of the events. */

let cluster: TestCluster;
let scans: Mock<typeof Oplog.prototype.scanBetween>;
let reads: Mock<typeof EntryScan.prototype.next>;

beforeEach(() => {
  cluster = new TestCluster();
  scans = mock.method(Oplog.prototype, 'scanBetween');
  reads = mock.method(EntryScan.prototype, 'next');
});

afterEach(() => {
  mock.restoreAll();
  cluster.remove();
});

function open(collection: string | 1, stages: Document[] = [], options: Document = {}, more: Document = {}) {
  const pipeline = [{ $changeStream: options }, ...stages];
  const { cursor } = cluster.run({ aggregate: collection, pipeline, cursor: {}, ...more });
  return { getMore: cursor.id, collection: collection === 1 ? '$cmd.aggregate' : collection };
}

function await_(streams: Document[]): Sent[] {
  const sent = streams.map((stream, i) => cluster.send(stream, { connectionId: 2 + i }));
  cluster.worker.runTurn();
  return sent;
}

const insert = (collection: string, ...ids: unknown[]) =>
  cluster.run({ insert: collection, documents: ids.map((_id) => ({ _id })) });
const update = (collection: string, _id: number, u: Document) =>
  cluster.run({ update: collection, updates: [{ q: { _id }, u }] });

function transaction(collection: string, ...ids: number[]): void {
  const session = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
  const documents = ids.map((_id) => ({ _id }));
  cluster.run({ insert: collection, documents, startTransaction: true, ...session });
  assert.equal(cluster.run({ commitTransaction: 1, $db: 'admin', ...session }).ok, 1);
}

const idsOf = ({ reply }: Sent) =>
  reply?.cursor.nextBatch.map(({ ns, documentKey }: Document) => [ns.coll, documentKey._id]);

describe('waiting change streams', () => {
  it('read no entries that their filters on namespaces and types reject', () => {
    insert('busy', 0);
    const filters = [
      { 'ns.coll': 'idle' },
      { ns: { db: 'test', coll: 'idle' } },
      { 'ns.coll': { $nin: ['busy', 'other'] } },
      { operationType: 'delete' },
      { operationType: { $in: ['delete', 'drop'] }, 'fullDocument.a': 1 },
      { $and: [{ 'documentKey._id': 1 }, { $or: [{ operationType: 'delete' }, { 'ns.coll': 'idle' }] }] },
    ];
    const sent = await_([
      ...filters.map((filter) => open(1, [{ $match: filter }])),
      open(1, [{ $match: { 'ns.coll': /busy/ } }, { $match: { 'documentKey._id': 7 } }]),
    ]);
    const before = scans.mock.callCount();
    for (let id = 1; id <= 5; id++) insert('busy', id);
    update('busy', 1, { $set: { a: 1 } });
    update('busy', 1, { a: 2 });
    // Only the last stream, whose filter has a pattern, read the entries of the seven writes.
    assert.equal(scans.mock.callCount() - before, 7);
    insert('idle', 1);
    cluster.run({ delete: 'busy', deletes: [{ q: { _id: 1 }, limit: 1 }] });
    const found = [['idle', 1]];
    assert.deepEqual(sent.map(idsOf), [found, found, found, [['busy', 1]], undefined, found, undefined]);
  });

  it('read no transactions that concern other collections', () => {
    for (const name of ['busy', 'idle']) insert(name, 0);
    const [first, second] = await_([open('idle'), open('busy')]);
    const before = scans.mock.callCount();
    transaction('busy', 1, 2);
    assert.equal(scans.mock.callCount() - before, 1);
    transaction('idle', 3);
    assert.deepEqual(
      [first, second].map((sent) => sent && idsOf(sent)),
      [
        [['idle', 3]],
        [
          ['busy', 1],
          ['busy', 2],
        ],
      ],
    );
  });

  it('compare namespaces with the collation of the command', () => {
    const collation = { locale: 'en', strength: 2 };
    const [sent] = await_([open(1, [{ $match: { 'ns.coll': 'BUSY' } }], {}, { collation })]);
    insert('busy', 1);
    assert.deepEqual(sent && idsOf(sent), [['busy', 1]]);
  });
});

describe('a change stream that is behind', () => {
  it('reads no earlier and no later entries than those of its collection', () => {
    for (const name of ['c', 'other0', 'other1']) cluster.run({ create: name });
    const stream = open('c');
    for (let id = 0; id < 50; id++) insert(`other${id % 2}`, id);
    insert('c', 1, 2);
    for (let id = 50; id < 100; id++) insert(`other${id % 2}`, id);
    const before = reads.mock.callCount();
    const [sent] = await_([stream]);
    assert.deepEqual(sent && idsOf(sent), [
      ['c', 1],
      ['c', 2],
    ]);
    // Two entries, and the end of the scan.
    assert.equal(reads.mock.callCount() - before, 3);
  });

  it('skips a run of inserts into another collection as one entry', () => {
    const ping = cluster.send({ ping: 1 });
    cluster.worker.runTurn();
    insert('c', 1);
    insert('other', ...Array(500).keys());
    insert('c', 2);
    cluster.reopen();
    const before = reads.mock.callCount();
    const documents = [...Array(600).keys()].map((_id) => ({ _id }));
    assert.equal(cluster.run({ insert: 'other2', documents }).ok, 1);
    const pipeline = [{ $changeStream: { startAtOperationTime: ping.operationTime } }];
    const { firstBatch } = cluster.run({ aggregate: 'c', pipeline, cursor: {} }).cursor;
    assert.deepEqual(
      firstBatch.map(({ documentKey }: Document) => documentKey._id),
      [1, 2],
    );
    assert.ok(reads.mock.callCount() - before < 20, `${reads.mock.callCount() - before} entries were read`);
  });
});
