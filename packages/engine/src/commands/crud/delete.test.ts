import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());
beforeEach(() => {
  cluster.run({ drop: 'c' });
  cluster.run({ insert: 'c', documents: [1, 2, 3, 4].map((_id) => ({ _id, even: _id % 2 === 0 })) });
});

const remove = (deletes: Document[], more: Document = {}) => cluster.run({ delete: 'c', deletes, ...more });
const left = () => cluster.documents('c').map(({ _id }) => _id);

describe('delete', () => {
  it('removes the first match with limit 1, all with limit 0', () => {
    assert.deepEqual(remove([{ q: { even: true }, limit: 1 }]), { n: 1, ok: 1 });
    assert.deepEqual(left(), [1, 3, 4]);
    assert.deepEqual(remove([{ q: { even: false }, limit: 0 }]), { n: 2, ok: 1 });
    assert.deepEqual(left(), [4]);
  });

  it('removes more documents than a page of a scan holds', () => {
    const documents = Array.from({ length: 1500 }, (_, i) => ({ _id: i + 10, pad: 'x'.repeat(300) }));
    cluster.run({ insert: 'c', documents });
    assert.equal(remove([{ q: { pad: { $gt: '' } }, limit: 0 }]).n, 1500);
    assert.deepEqual(left(), [1, 2, 3, 4]);
  });

  it('counts a document once, even if several statements match it', () => {
    const named = [1, 1, 2].map((_id) => ({ q: { _id }, limit: 1 }));
    assert.equal(cluster.run({ delete: 'c' }, { sequences: { deletes: named } }).n, 2);
  });

  it('removes nothing in a missing collection', () => {
    assert.deepEqual(cluster.run({ delete: 'nowhere', deletes: [{ q: {}, limit: 0 }] }), { n: 0, ok: 1 });
  });

  it('reports the failing statement, and continues if unordered', () => {
    const deletes = [
      { q: { _id: 1 }, limit: 1 },
      { q: { $frob: 1 }, limit: 1 },
      { q: { _id: 3 }, limit: 1 },
    ];
    const first = remove(deletes);
    assert.deepEqual([first.n, first.writeErrors[0].index, first.writeErrors[0].code], [1, 1, 2]);
    assert.equal(remove(deletes, { ordered: false }).n, 1);
    assert.deepEqual(left(), [2, 4]);
  });

  const rejected: Array<[string, Document, number]> = [
    ['no statements', { deletes: [] }, 16],
    ['a statement without a limit', { deletes: [{ q: {} }] }, 40414],
    ['a statement without q', { deletes: [{ limit: 1 }] }, 40414],
    ['another limit', { deletes: [{ q: {}, limit: 2 }] }, 9],
    ['a negative limit', { deletes: [{ q: {}, limit: -1 }] }, 9],
    ['an unknown field of a statement', { deletes: [{ q: {}, limit: 1, x: 1 }] }, 40415],
    ['ordered of another type', { deletes: [{ q: {}, limit: 1 }], ordered: 'x' }, 14],
    ['a hint at an unknown index', { deletes: [{ q: {}, limit: 1, hint: 'a_1' }] }, 2],
  ];
  for (const [what, command, code] of rejected) {
    it(`rejects ${what}`, () => {
      const reply = cluster.run({ delete: 'c', ...command });
      assert.equal(reply.code ?? reply.writeErrors?.[0]?.code, code, JSON.stringify(reply));
    });
  }
});
