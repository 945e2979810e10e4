import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, type Document, Double, MinKey } from 'bson';
import { unwatched } from '../statement/statement.ts';
import { compileSort } from './sort.ts';
import { sortedWithin } from './spill/sorted.ts';
import { plain, raw } from './testing/documents.ts';

/** Sorts the documents and returns their `_id`s. */
function order(spec: Document, docs: readonly Document[], limit?: number): unknown[] {
  const sorted = sortedWithin(docs.map(raw), compileSort(raw(spec)), { statement: unwatched }, limit);
  return plain([...sorted]).map(({ _id }) => _id);
}

test('sorts by type and value', () => {
  const docs = [
    { _id: 'text', a: 'x' },
    { _id: 'number', a: 5 },
    { _id: 'missing' },
    { _id: 'document', a: {} },
    { _id: 'null', a: null },
    { _id: 'nan', a: Number.NaN },
    { _id: 'lowest', a: new MinKey() },
    { _id: 'empty', a: [] },
  ];
  const expected = ['lowest', 'empty', 'missing', 'null', 'nan', 'number', 'text', 'document'];
  assert.deepEqual(order({ a: 1 }, docs), expected);
  // Equal documents keep their order in both directions.
  assert.deepEqual(order({ a: -1 }, docs).slice(-4), ['missing', 'null', 'empty', 'lowest']);
});

test('sorts an array by its smallest entry ascending and by its greatest descending', () => {
  const docs = [
    { _id: 1, a: [5, 1] },
    { _id: 2, a: 3 },
    { _id: 3, a: [2, 9] },
  ];
  assert.deepEqual(order({ a: 1 }, docs), [1, 3, 2]);
  assert.deepEqual(order({ a: -1 }, docs), [3, 1, 2]);
  assert.deepEqual(order({ 'a.0': 1 }, docs), [2, 3, 1]);
});

test('sorts by several fields in turn', () => {
  const docs = [
    { _id: 1, a: 1, b: 1 },
    { _id: 2, a: 1, b: 2 },
    { _id: 3, a: 0, b: 1 },
  ];
  assert.deepEqual(order({ a: 1, b: -1 }, docs), [3, 2, 1]);
  assert.deepEqual(order({}, docs), [1, 2, 3]);
});

test('returns only the first documents up to a limit', () => {
  const docs = Array.from({ length: 5000 }, (_, i) => ({ _id: (i * 7919) % 5000 }));
  assert.deepEqual(order({ _id: 1 }, docs, 3), [0, 1, 2]);
  assert.deepEqual(order({ _id: -1 }, docs, 2), [4999, 4998]);
});

const refused: ReadonlyArray<readonly [Document, number]> = [
  [{ a: 'x' }, 15974],
  [{ a: true }, 15974],
  [{ a: 0 }, 15975],
  [{ a: 2 }, 15975],
  [{ a: Decimal128.fromString('1.5') }, 15975],
  [{ $a: 'x' }, 15974],
  [{ $a: 1 }, 16410],
  [{ '': 1 }, 40352],
  [{ 'a.': 1 }, 40353],
  [{ 'a..b': 1 }, 15998],
  [{ a: { $meta: 'sortKey' } }, 31138],
  [{ a: { $meta: 'textScore', b: 1 } }, 9],
  [{ a: { b: 1 } }, 17312],
  [Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`f${i}`, 1])), 13103],
];

test('rejects an invalid sort specification', () => {
  for (const [spec, code] of refused) {
    assert.throws(() => compileSort(raw(spec)), { code }, JSON.stringify(spec));
  }
  assert.equal(compileSort(raw({ a: new Double(-1.9) })).parts[0]?.direction, -1);
});

test('sorts by fields of one array, but not by parallel arrays', () => {
  const doc = {
    _id: 1,
    a: [
      { x: 3, y: 1 },
      { x: 1, y: 9 },
    ],
    b: [1],
  };
  assert.deepEqual(order({ 'a.x': 1, 'a.y': 1 }, [doc, { _id: 2, a: { x: 1, y: 5 } }]), [2, 1]);
  assert.throws(() => order({ a: 1, b: 1 }, [doc]), { code: 2, message: /parallel arrays/ });
});

test('rejects a number that is both a position and a name', () => {
  assert.throws(() => order({ 'a.0': 1 }, [{ a: [{ 0: 1 }, 2] }]), { code: 16746 });
});
