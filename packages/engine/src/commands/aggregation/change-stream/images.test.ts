import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { admin, CLUSTER_ID, info, TestCluster } from '../../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ create: 'c', changeStreamPreAndPostImages: { enabled: true } });
  cluster.run({ insert: 'c', documents: [{ _id: 1, v: 0, list: [1, 2, 3] }] });
});

afterEach(() => cluster.remove());

const open = (options: Document): Document =>
  cluster.run({ aggregate: 'c', pipeline: [{ $changeStream: options }], cursor: {} });
const update = (u: Document | Document[]) => cluster.run({ update: 'c', updates: [{ q: { _id: 1 }, u }] });
const remove = () => cluster.run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }] });

function ask(id: bigint): Document {
  const sent = cluster.send({ getMore: id, collection: 'c' }, { connectionId: 2 });
  cluster.worker.runTurn();
  return sent.reply ?? {};
}

const required = { fullDocument: 'required', fullDocumentBeforeChange: 'required' };
const whenAvailable = { fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' };
const imagesOf = (reply: Document) =>
  reply.cursor.nextBatch.map(({ fullDocumentBeforeChange, fullDocument }: Document) => [
    fullDocumentBeforeChange,
    fullDocument,
  ]);

describe('pre- and post-images', () => {
  it('are those of the time of the change', () => {
    const { cursor } = open(required);
    update({ $set: { v: 1, 'list.1': 5 }, $unset: { x: 1 } });
    update([{ $set: { list: { $slice: ['$list', 1] } } }]);
    update({ w: 1 });
    remove();
    const first = { _id: 1, v: 0, list: [1, 2, 3] };
    const second = { _id: 1, v: 1, list: [1, 5, 3] };
    const third = { _id: 1, v: 1, list: [1] };
    assert.deepEqual(imagesOf(ask(cursor.id)), [
      [first, second],
      [second, third],
      [third, { _id: 1, w: 1 }],
      [{ _id: 1, w: 1 }, undefined],
    ]);
  });

  it('are missing if the collection did not record them, an error if they are required', () => {
    cluster.run({ collMod: 'c', changeStreamPreAndPostImages: { enabled: false } });
    const [optional, strict] = [open(whenAvailable).cursor, open(required).cursor];
    update({ $set: { v: 1 } });
    assert.deepEqual(imagesOf(ask(optional.id)), [[null, null]]);
    assert.equal(ask(strict.id).code, 47);
  });

  it('are removed with their oplog entries', () => {
    const { cursor } = open(whenAvailable);
    update({ $set: { v: 1 } });
    cluster.worker.configure(CLUSTER_ID, { ...info, oplogBytes: 2_000 });
    const documents = Array.from({ length: 50 }, () => ({ pad: 'x'.repeat(50) }));
    cluster.run({ insert: 'other', documents });
    assert.equal(ask(cursor.id).code, 286);
  });

  it('are removed when they expire', () => {
    const preAndPostImages = { expireAfterSeconds: 60 };
    const setting = { setClusterParameter: { changeStreamOptions: { preAndPostImages } }, $db: 'admin' };
    const user = { ...admin, roles: [{ role: 'root', database: 'admin' }] };
    assert.equal(cluster.run(setting, { user }).ok, 1);
    const { cursor } = open(whenAvailable);
    update({ $set: { v: 1 } });
    cluster.clock.advance(61_000);
    assert.deepEqual(imagesOf(ask(cursor.id)), [[null, null]]);
  });
});
