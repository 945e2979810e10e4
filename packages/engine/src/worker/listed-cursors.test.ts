import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 10 }, (_, _id) => ({ _id })) });
});
after(() => cluster.remove());

const listed = (): Document[] =>
  cluster.run({
    aggregate: 1,
    pipeline: [{ $currentOp: { idleCursors: true } }],
    cursor: {},
    $db: 'admin',
  }).cursor.firstBatch;

test('an idle cursor is listed with what it has returned', () => {
  const { id } = cluster.run({ find: 'c', batchSize: 2 }).cursor;
  cluster.run({ getMore: id, collection: 'c', batchSize: 3 });
  const [idle] = listed().filter(({ type }) => type === 'idleCursor');
  const { cursorId, nDocsReturned, nBatchesReturned, originatingCommand } = idle?.cursor ?? {};
  assert.deepEqual([cursorId, nDocsReturned, nBatchesReturned, originatingCommand?.find], [id, 5n, 2n, 'c']);
  cluster.run({ killCursors: 'c', cursors: [id] });
});

test('a request that waits for data is listed with its cursor, which is not idle', () => {
  const { id } = cluster.run({ aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} }).cursor;
  cluster.send({ getMore: id, collection: 'c' }, { connectionId: 2 });
  cluster.worker.runTurn();
  const all = listed();
  const waiting = all.find(({ op }) => op === 'getmore');
  const { cursorId, awaitData, operationUsingCursorId } = waiting?.cursor ?? {};
  assert.deepEqual([cursorId, awaitData, operationUsingCursorId], [id, true, BigInt(waiting?.opid)]);
  assert.ok(!all.some(({ type }) => type === 'idleCursor'));
});
