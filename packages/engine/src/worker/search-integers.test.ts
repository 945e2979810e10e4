import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Document, Double, Long } from 'bson';
import { TestSearch } from './testing-search.ts';

const long = (text: string) => Long.fromString(text);

/**
 * Integers around 2^53, and the smallest and the greatest integers. From 2^53 on, doubles do not distinguish
 * neighbouring integers.
 */
const documents = [
  { _id: 1, n: long('9007199254740991') },
  { _id: 2, n: long('9007199254740992') },
  { _id: 3, n: long('9007199254740993') },
  { _id: 4, n: long('-9007199254740993') },
  { _id: 5, n: long('9223372036854775806') },
  { _id: 6, n: [long('9223372036854775807'), 5] },
  { _id: 7, n: new Double(9007199254740994) },
];

const queries: ReadonlyArray<readonly [operator: Document, ids: readonly number[]]> = [
  [{ equals: { path: 'n', value: long('9007199254740992') } }, [2]],
  [{ equals: { path: 'n', value: long('9007199254740993') } }, [3]],
  [{ equals: { path: 'n', value: new Double(2 ** 53) } }, [2]],
  [{ equals: { path: 'n', value: long('9007199254740994') } }, [7]],
  [{ equals: { path: 'n', value: long('-9007199254740992') } }, []],
  [{ equals: { path: 'n', value: long('9223372036854775807') } }, [6]],
  [{ in: { path: 'n', value: [long('9223372036854775806'), long('9007199254740991')] } }, [1, 5]],
  [{ range: { path: 'n', gt: long('9007199254740992') } }, [3, 5, 6, 7]],
  [{ range: { path: 'n', gte: long('9007199254740992'), lt: long('9007199254740994') } }, [2, 3]],
  [{ range: { path: 'n', gt: long('9007199254740992'), lt: long('9007199254740993') } }, []],
  [{ range: { path: 'n', gte: 5.5 } }, [1, 2, 3, 5, 6, 7]],
  [{ range: { path: 'n', lt: 0 } }, [4]],
  [{ range: { path: 'n', lte: long('-9007199254740993') } }, [4]],
  [{ range: { path: 'n', lt: new Double(-1e300) } }, []],
  [{ range: { path: 'n', gte: new Double(1e300) } }, []],
  [{ range: { path: 'n', gte: new Double(Number.NEGATIVE_INFINITY) } }, [1, 2, 3, 4, 5, 6, 7]],
  [{ range: { path: 'n', gte: new Double(Number.NaN) } }, []],
];

function searching(t: TestContext, number: Document) {
  const mappings = { fields: { n: { type: 'number', ...number } } };
  const search = new TestSearch(documents, { mappings });
  t.after(() => search.close());
  return search;
}

test('integers that are represented as int64 are compared exactly', (t) => {
  const search = searching(t, { representation: 'int64' });
  for (const [operator, ids] of queries)
    assert.deepEqual(search.ids(operator).toSorted(), ids, JSON.stringify(operator));
});

test('integers that are represented as double are compared as doubles', (t) => {
  const search = searching(t, {});
  const value = long('9007199254740993');
  assert.deepEqual(search.ids({ equals: { path: 'n', value } }).toSorted(), [2, 3]);
  assert.deepEqual(search.ids({ range: { path: 'n', gte: value } }).toSorted(), [2, 3, 5, 6, 7]);
});

test('filters of vector searches compare integers exactly', (t) => {
  const fields = [
    { type: 'vector', path: 'v', numDimensions: 1, similarity: 'euclidean' },
    { type: 'filter', path: 'n' },
  ];
  const search = new TestSearch(
    documents.map((own) => ({ ...own, v: [1] })),
    { fields },
    'vectorSearch',
  );
  t.after(() => search.close());
  const found = (n: unknown) => {
    const stage = { index: 'default', path: 'v', queryVector: [1], exact: true, limit: 9, filter: { n } };
    return search
      .aggregate({ $vectorSearch: stage })
      .map(({ _id }: Document) => _id)
      .toSorted();
  };
  assert.deepEqual(found(long('9007199254740993')), [3]);
  assert.deepEqual(found({ $ne: long('9007199254740993') }), [1, 2, 4, 5, 6, 7]);
  assert.deepEqual(found({ $in: [long('9223372036854775807')] }), [6]);
  assert.deepEqual(found({ $gt: long('9007199254740992'), $lt: long('9007199254740994') }), [3, 6]);
  assert.deepEqual(found({ $lte: 5 }), [4, 6]);
});
