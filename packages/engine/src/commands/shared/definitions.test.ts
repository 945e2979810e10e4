import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { TestCluster } from '../../worker/testing.ts';

const TEXT = 'x'.repeat(12_000_000);
let cluster: TestCluster;

before(() => {
  cluster = new TestCluster({}, { unsynced: true });
});
after(() => cluster.remove());

it('the definitions of collections and indexes of a cluster have a maximum size', () => {
  const create = (name: string) => cluster.run({ create: name, validator: { a: { $ne: TEXT } } });
  const index = (name: string) =>
    cluster.run({
      createIndexes: 'indexed',
      indexes: [{ key: { [name]: 1 }, name, partialFilterExpression: { a: TEXT } }],
    });
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => create(name).ok),
    [1, 1, 1, 1],
  );
  assert.equal(index('a').ok, 1);
  assert.equal(index('b').codeName, 'ExceededMemoryLimit');
  assert.equal(create('e').codeName, 'ExceededMemoryLimit');
  const modify = (validator: object) => cluster.run({ collMod: 'indexed', validator });
  assert.equal(modify({ a: { $ne: TEXT } }).codeName, 'ExceededMemoryLimit');
  assert.equal(modify({ a: 1 }).ok, 1);
  // The definition that a command replaces does not count towards the limit.
  assert.equal(cluster.run({ collMod: 'a', validator: { a: { $ne: TEXT } } }).ok, 1);
  cluster.run({ drop: 'a' });
  assert.equal(create('e').ok, 1);
});
