import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
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
  it('does what entries say, and does it again', () => {
    const operations = [
      { op: 'i', ns, o: { _id: 2 } },
      { op: 'u', ns, o: { $v: 2, diff: { u: { v: 2 }, i: { w: 1 } } }, o2: { _id: 1 } },
      { op: 'n', ns, o: {} },
    ];
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(apply(operations), { applied: 3, results: [true, true, true], ok: 1 });
      assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 2, w: 1 }, { _id: 2 }]);
    }
  });

  it('does all or nothing, unless it is told otherwise', () => {
    const operations = [
      { op: 'i', ns, o: { _id: 2 } },
      { op: 'u', ns, o: { _id: 9 }, o2: { _id: 9 } },
    ];
    assert.equal(apply(operations).code, 8);
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 1 }]);
    const { ok, code, applied, results } = apply(operations, { allowAtomic: false });
    assert.deepEqual({ ok, code, applied, results }, { ok: 0, code: 8, applied: 2, results: [true, false] });
    assert.deepEqual(cluster.documents('c'), [{ _id: 1, v: 1 }, { _id: 2 }]);
  });

  it('refuses what is no list of operations', () => {
    assert.equal(apply({}).code, 14);
    assert.equal(apply([1]).code, 14);
    assert.equal(apply([{ op: 'i', o: {} }]).code, 9);
    assert.equal(apply([{ op: 'i', ns: 'test.absent', o: { _id: 1 } }]).code, 26);
    assert.equal(apply([], { alwaysUpsert: true }).code, 6711601);
  });
});
