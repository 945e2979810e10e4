import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { info, TestCluster, testMember } from './testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

test('requests that have not begun end when their connection closes, except unacknowledged writes', () => {
  const gone = { connectionId: 8 };
  const insert = (_id: string) => ({ insert: 'c', documents: [{ _id }] });
  const read = cluster.send({ find: 'c' }, gone);
  const write = cluster.send(insert('acknowledged'), gone);
  const silent = cluster.send(insert('silent'), { ...gone, moreToCome: true });
  const silentRead = cluster.send({ find: 'c' }, { ...gone, moreToCome: true });
  const other = cluster.send(insert('other'), { connectionId: 9 });
  cluster.worker.disconnected(new Set([8, 10]));
  assert.deepEqual([read.reply?.code, write.reply?.code], [279, 279]);
  cluster.worker.runTurn();
  assert.deepEqual([silent.reply?.ok, silentRead.reply?.code, other.reply?.ok], [1, 279, 1]);
  assert.deepEqual(
    cluster
      .documents('c')
      .map(({ _id }) => _id)
      .sort(),
    ['other', 'silent'],
  );
});

test('completed writes that wait for more members end when their connection closes', () => {
  const gone = { connectionId: 8 };
  const insert = { insert: 'w', documents: [{}], writeConcern: { w: 3 } };
  cluster.configure({
    members: [...info.members.slice(0, 2), testMember(2, { state: 'DOWN', priority: 6 })],
  });
  const before = cluster.send(insert, gone);
  const silent = cluster.send(insert, { ...gone, moreToCome: true });
  const other = cluster.send(insert, { connectionId: 9 });
  cluster.worker.runTurn();
  const later = cluster.send(insert, { ...gone, moreToCome: true });
  assert.deepEqual([before.reply, silent.reply, other.reply], [undefined, undefined, undefined]);
  cluster.worker.disconnected(new Set([8]));
  cluster.worker.runTurn();
  assert.deepEqual([before.reply?.n, silent.reply?.n, later.reply?.n, other.reply], [1, 1, 1, undefined]);
  cluster.configure({});
  assert.deepEqual([other.reply?.n, other.reply?.writeConcernError], [1, undefined]);
});
