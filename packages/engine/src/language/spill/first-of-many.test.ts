import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal128, type Document, Double, Long, MaxKey, MinKey } from 'bson';
import { unwatched } from '../../statement/statement.ts';
import { noEnvironment } from '../environment.ts';
import { compilePipeline } from '../pipeline/index.ts';
import { withoutCollections } from '../pipeline/pipeline-environment.ts';
import { compileSort } from '../sort.ts';
import { plain, raw } from '../testing/documents.ts';
import { sortedWithin } from './sorted.ts';

const values: readonly unknown[] = [
  1,
  new Double(1),
  new Long(1),
  Decimal128.fromString('1'),
  -3,
  Number.NaN,
  null,
  undefined,
  'text',
  '',
  [],
  [4, -9],
  { a: 1 },
  true,
  new Date(5),
  new MinKey(),
  new MaxKey(),
];

/** There are more documents than the sort collects before it discards the greatest. */
const documents: readonly Document[] = Array.from({ length: 5_000 }, (_, _id) => {
  const [a, b] = [values[(_id * 7919) % values.length], values[(_id * 31 + (_id >> 5)) % values.length]];
  return { _id, a, b: Array.isArray(a) ? 0 : b, n: (_id * 7907) % 5_000 };
});

describe('the first of many documents in an order', () => {
  for (const spec of [{ a: 1 }, { a: -1, n: 1 }, { b: 1, a: -1 }, { n: -1 }, { 'b.a': 1, n: 1 }]) {
    it(`are those of all in order ${JSON.stringify(spec)}`, () => {
      const sort = compileSort(raw(spec));
      const all = documents.map(raw).toSorted(sort.compare);
      const first = sortedWithin(documents.map(raw), sort, { statement: unwatched }, 10);
      assert.deepEqual(plain([...first]), plain(all.slice(0, 10)));
    });
  }

  it('rejects documents with two arrays in the sort key, wherever they would sort', () => {
    const last = { _id: 'last', a: 9, b: [1, 2], c: [3, 4] };
    const many = [...Array.from({ length: 3_000 }, (_, i) => ({ _id: i, a: 0, b: 0, c: 0 })), last];
    const sort = compileSort(raw({ a: 1, b: 1, c: 1 }));
    const take = () => [...sortedWithin(many.map(raw), sort, { statement: unwatched }, 10)];
    assert.throws(take, /parallel arrays/);
  });
});

describe('a group', () => {
  it('keeps all equal numbers, whichever came first', () => {
    const equal = [1, new Double(1), new Long(1), Decimal128.fromString('1.0')];
    const turned = [0, 1, 2, 3].map((by) => [...equal.slice(by), ...equal.slice(0, by), 2, 1, new Double(2)]);
    for (const keys of turned) {
      const pipeline = compilePipeline([raw({ $group: { _id: '$k', n: { $sum: 1 } } })], {
        environment: noEnvironment,
        pipelineEnvironment: { ...withoutCollections, namespace: { database: 'd', collection: 'c' } },
      });
      const groups = plain([...pipeline.run(keys.map((k) => raw({ k })))]);
      assert.deepEqual(
        groups.map(({ n }) => n),
        [5, 2],
      );
    }
  });
});
