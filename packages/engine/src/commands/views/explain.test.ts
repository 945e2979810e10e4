import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({
    insert: 'c',
    documents: [
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ],
  });
  cluster.run({ create: 'v', viewOn: 'c', pipeline: [{ $match: { a: { $gt: 1 } } }] });
});
after(() => cluster.remove());

const commands: readonly Document[] = [
  { find: 'v' },
  { count: 'v' },
  { distinct: 'v', key: 'a' },
  { aggregate: 'v', pipeline: [], cursor: {} },
];
for (const command of commands) {
  test(`a ${Object.keys(command)[0]} on a view is explained on the underlying collection`, () => {
    const reply = cluster.run({ explain: command });
    const { queryPlanner } = reply.stages?.[0].$cursor ?? reply;
    assert.equal(queryPlanner.namespace, 'test.c');
    assert.deepEqual(queryPlanner.parsedQuery, { a: { $gt: 1 } });
    assert.equal(Object.keys(reply.command)[0], Object.keys(command)[0]);
  });
}
