import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const collation = { locale: 'en', strength: 2 };

let cluster: TestCluster;
let name = '';
let made = 0;

before(() => {
  cluster = new TestCluster();
});
beforeEach(() => {
  name = `c${++made}`;
  cluster.run({ create: name, collation });
});
after(() => cluster.remove());

const insert = (...ids: unknown[]) =>
  cluster.run({ insert: name, documents: ids.map((_id) => ({ _id })), ordered: false });
const refused = (reply: Document): unknown[] =>
  (reply.writeErrors ?? []).map(({ index, code }: Document) => [index, code]);

describe('a collection with a collation', () => {
  it('has unique values of _id by the collation', () => {
    const reply = insert('a', 'A', 'á', 1, { k: 'x' }, { k: 'X' }, { k: 'y' });
    assert.deepEqual(refused(reply), [
      [1, 11000],
      [5, 11000],
    ]);
    assert.match(reply.writeErrors[0].errmsg, /index: _id_ dup key: \{ _id: "A" \}/);
    assert.deepEqual(reply.writeErrors[0].keyPattern, { _id: 1 });
    assert.equal(reply.n, 5);
  });

  it('accepts the _id of a deleted document', () => {
    insert('a');
    cluster.run({ delete: name, deletes: [{ q: { _id: 'A' }, limit: 0 }] });
    assert.deepEqual(refused(insert('A')), []);
    const simple = { locale: 'simple' };
    const upsert = { q: { _id: 'a' }, u: { $set: { b: 1 } }, upsert: true };
    assert.equal(
      cluster.run({ update: name, updates: [{ ...upsert, collation: simple }] }).writeErrors[0].code,
      11000,
    );
    assert.equal(cluster.run({ update: name, updates: [upsert] }).nModified, 1);
  });

  it('shows one index, which describes the collation', () => {
    insert('a');
    const list = () => cluster.run({ listIndexes: name }).cursor.firstBatch;
    assert.equal(list().length, 1);
    assert.equal(list()[0].collation.strength, 2);
    const [{ idIndex }] = cluster.run({ listCollections: 1, filter: { name } }).cursor.firstBatch;
    assert.equal(idIndex.collation.strength, 2);
    assert.equal(cluster.run({ dropIndexes: name, index: '*' }).nIndexesWas, 1);
    const { valid, nIndexes, keysPerIndex } = cluster.run({ validate: name });
    assert.deepEqual([valid, nIndexes, keysPerIndex], [true, 1, { _id_: 1 }]);
    assert.equal(cluster.run({ collStats: name }).nindexes, 1);
    assert.deepEqual(refused(insert('A')), [[0, 11000]]);
  });

  it('keeps the rule under another name, as capped collection, and as result of $out', () => {
    insert('a', 'b');
    const to = `${name}r`;
    cluster.run({ renameCollection: `test.${name}`, to: `test.${to}`, $db: 'admin' });
    name = to;
    assert.deepEqual(refused(insert('A')), [[0, 11000]]);
    assert.equal(cluster.run({ convertToCapped: name, size: 10_000 }).ok, 1);
    assert.deepEqual(refused(insert('B')), [[0, 11000]]);
    cluster.run({ insert: 'source', documents: [{ _id: 'x' }, { _id: 'X' }] });
    cluster.run({ create: 'target', collation });
    assert.equal(
      cluster.run({ aggregate: 'source', pipeline: [{ $out: 'target' }], cursor: {} }).code,
      11000,
    );
    cluster.run({ drop: 'source' });
  });

  it('has the rule in transactions, also if they create the collection', () => {
    insert('a');
    const inTransaction = (commands: readonly Document[]) => {
      const lsid = { id: new UUID() };
      return commands.map((command, i) =>
        cluster.run({
          ...command,
          lsid,
          txnNumber: 1n,
          autocommit: false,
          ...(i === 0 ? { startTransaction: true } : {}),
        }),
      );
    };
    const add = (...ids: string[]) => ({ insert: name, documents: ids.map((_id) => ({ _id })) });
    assert.equal(refused(inTransaction([add('A')])[0] ?? {}).length, 1);
    assert.equal(refused(inTransaction([add('b'), add('B')])[1] ?? {}).length, 1);
    const created = `${name}t`;
    const [, reply] = inTransaction([
      { create: created, collation },
      { insert: created, documents: [{ _id: 'a' }, { _id: 'A' }] },
    ]);
    assert.equal(refused(reply ?? {}).length, 1);
  });
});
