import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const user = { ...admin, roles: [{ role: '__system', database: 'admin' }] };

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1, v: 1 }] });
});

afterEach(() => cluster.remove());

const apply = (operations: unknown, more: Document = {}) =>
  cluster.run({ applyOps: operations, ...more, $db: 'admin' }, { user });
const ns = 'test.c';

describe('applyOps', () => {
  it('applies operations, and can repeat them', () => {
    const operations = [
      { op: 'i', ns, o: { _id: 2 } },
      { op: 'u', ns, o: { $v: 2, diff: { u: { v: 2 }, i: { w: 1 } } }, o2: { _id: 1 } },
      { op: 'n', ns, o: {} },
      { op: 'd', ns, o: { _id: 7 } },
    ];
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(apply(operations), { applied: 3, results: [true, true, true], ok: 1 });
      assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 2, w: 1 }, { _id: 2 }]);
    }
  });

  it('uses the service time', () => {
    const update = { op: 'u', ns, o: { $currentDate: { at: true } }, o2: { _id: 1 } };
    assert.deepEqual(apply([update]).results, [true]);
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 1, at: new Date(cluster.clock.now()) }]);
  });

  it('continues after an update without a match, and reports it', () => {
    const missing = { op: 'u', ns, o: { _id: 9 }, o2: { _id: 9 } };
    const { ok, code, applied, results } = apply([missing, { op: 'i', ns, o: { _id: 2 } }]);
    assert.deepEqual({ ok, code, applied, results }, { ok: 0, code: 8, applied: 2, results: [false, true] });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 1 }, { _id: 2 }]);
  });

  it('stops at the first error, and keeps what was applied before', () => {
    const operations = [
      { op: 'i', ns, o: { _id: 2 } },
      { op: 'i', ns: 'test.absent', o: { _id: 1 } },
      { op: 'i', ns, o: { _id: 3 } },
    ];
    const { ok, code, applied, results } = apply(operations);
    assert.deepEqual({ ok, code, applied, results }, { ok: 0, code: 26, applied: 2, results: [true, false] });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 1 }, { _id: 2 }]);
  });

  it('makes a collection with the UUID of its entry, as `mongorestore --preserveUUID` does', () => {
    const ui = new UUID('699f503d-f64b-4aa8-a484-a8052046fa3a');
    const makes = (create: string) => apply([{ op: 'c', ns: 'test.$cmd', ui, o: { create } }]);
    const made = () => cluster.run({ listCollections: 1 }).cursor.firstBatch;
    assert.equal(makes('kept').ok, 1);
    assert.equal(apply([{ op: 'i', ns: 'test.kept', ui, o: { _id: 1 } }]).ok, 1);
    assert.deepEqual([makes('kept').ok, makes('renamed').ok, makes('c').code], [1, 1, 48]);
    const found = made().find(({ name }: Document) => name === 'renamed');
    assert.equal(String(found.info.uuid), String(ui));
    assert.deepEqual(cluster.documents('renamed'), [{ _id: 1 }]);
    cluster.run({ drop: 'renamed' });
  });

  it('applies the rules of the collection, unless the command bypasses them', () => {
    const ruled = 'test.ruled';
    cluster.run({ create: 'ruled', validator: { v: { $gt: 0 } } });
    const insert = [{ op: 'i', ns: ruled, o: { _id: 1, v: -1 } }];
    assert.equal(apply(insert).code, 121);
    assert.equal(
      cluster.run({ applyOps: insert, bypassDocumentValidation: true, $db: 'admin' }, { user }).ok,
      1,
    );
    const update = (v: number) => apply([{ op: 'u', ns: ruled, o2: { _id: 1 }, o: { $set: { v } } }]);
    assert.deepEqual([update(-2).code, update(2).ok], [121, 1]);
  });

  it('runs commands on collections', () => {
    const commands = [
      { create: 'made' },
      { createIndexes: 'made', v: 2, key: { a: 1 }, name: 'a_1' },
      { drop: 'c' },
    ];
    const reply = apply(commands.map((o) => ({ op: 'c', ns: 'test.$cmd', o })));
    assert.deepEqual(reply.results, [true, true, true]);
    assert.deepEqual(
      cluster.run({ listCollections: 1 }).cursor.firstBatch.map(({ name }: Document) => name),
      ['made'],
    );
    assert.equal(cluster.run({ listIndexes: 'made' }).cursor.firstBatch.length, 2);
  });

  const refused: Array<[string, unknown, number]> = [
    ['a missing list', {}, 14],
    ['an array of other types', [1], 14],
    ['a missing op', [{ ns, o: {} }], 4],
    ['an op that is no string', [{ op: 1, ns, o: {} }], 14],
    ['an empty op', [{ op: '', ns, o: {} }], 20],
    ['a missing namespace', [{ op: 'i', o: {} }], 20],
    ['a missing object', [{ op: 'i', ns }], 40414],
    ['an unknown op', [{ op: 'x', ns, o: {} }], 2],
    ['a command that is not allowed in the oplog', [{ op: 'c', ns: 'test.$cmd', o: { ping: 1 } }], 9],
  ];
  for (const [what, operations, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(apply(operations).code, code));
  }

  it('rejects documents without an _id, and ignores unknown fields', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 1 }] });
    const on = 'test.c';
    assert.equal(apply([{ op: 'i', ns: on, o: {} }]).code, 4);
    assert.equal(apply([{ op: 'u', ns: on, o: { _id: 1 }, o2: {} }]).code, 4);
    assert.equal(apply([], { unknown: 1 }).ok, 1);
  });

  it('rejects former options', () => {
    assert.equal(apply([], { alwaysUpsert: true }).code, 6711601);
    assert.equal(apply([], { preCondition: [] }).code, 6711600);
  });
});
