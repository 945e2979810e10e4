import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedStatement } from './description.ts';
import { Heartbeat } from './heartbeat.ts';
import { TestCluster } from './testing.ts';

test('the host reads the description of the running statement from shared memory', () => {
  const thread = new Heartbeat();
  const host = new Heartbeat(thread.memory);
  assert.equal(host.statement, '');
  thread.statement = 'c1 find on the database Häfen, connection 7';
  assert.deepEqual(describedStatement(host.statement), {
    clusterId: 'c1',
    text: 'find on the database Häfen, connection 7',
  });
  thread.statement = 'x'.repeat(10_000);
  assert.equal(host.statement, 'x'.repeat(400));
  thread.statement = '';
  assert.equal(describedStatement(host.statement), undefined);
  assert.deepEqual([host.busy, host.beats], [false, 0]);
});

test('a thread describes each statement while it runs', () => {
  const described: string[] = [];
  const cluster = new TestCluster({ describe: (statement) => void described.push(statement) });
  try {
    cluster.run({ insert: 'things', documents: [{ _id: 1 }] });
    assert.match(described.join('\n'), /^\S+ insert on the database \S+, connection \d+\n$/);
  } finally {
    cluster.remove();
  }
});
