import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SlowQuery } from './slow-query.ts';
import { type IndexKey, shapesOf, suggestedIndexes } from './suggestions.ts';

const query = (command: object, more: Partial<SlowQuery> = {}): SlowQuery => ({
  ...{ line: '', time: 0, namespace: 'harbour.ships', planSummary: 'COLLSCAN', keysExamined: 0 },
  ...{ docsExamined: 1000, nreturned: 0, millis: 100 },
  command,
  ...more,
});
const find = (filter: object, sort?: object) => query({ find: 'ships', filter, ...(sort && { sort }) });
const keysOf = (...queries: SlowQuery[]) => shapesOf(queries).map(({ keys }) => keys);
const none = () => [];

test('an index has the fields of equality, then those of the sort, then those of ranges', () => {
  const filter = { length: { $gt: 10 }, name: 'Vega', port: { $in: ['Riga'] } };
  assert.deepEqual(keysOf(find(filter, { built: -1, name: 1 })), [
    [
      ['name', 1],
      ['port', 1],
      ['built', -1],
      ['length', 1],
    ],
  ]);
});

test('conjunctions count as filters, and values of types that JSON lacks are compared for equality', () => {
  const filter = { $and: [{ owner: { $oid: '6b0854f82039a58ed9316db3' } }, { flag: { $exists: true } }] };
  assert.deepEqual(keysOf(find(filter)), [
    [
      ['owner', 1],
      ['flag', 1],
    ],
  ]);
});

test('operations that no index makes faster have no shape', () => {
  const efficient = query({ find: 'ships', filter: { name: 'Vega' } }, { nreturned: 100 });
  assert.deepEqual(keysOf(find({}), find({}, { name: 1 }), find({ _id: 1 }), efficient), []);
  assert.deepEqual(keysOf(find({ $or: [{ a: 1 }, { b: 1 }] })), []);
});

test('operations of one shape are counted together, whatever their values', () => {
  const [shape, ...others] = shapesOf([find({ name: 'Vega' }), find({ name: 'Lyra' })]);
  assert.deepEqual([shape?.queries.length, others], [2, []]);
  const [elsewhere] = shapesOf([query({ filter: { name: 'Vega' } }, { namespace: 'harbour.boats' })]);
  assert.notEqual(elsewhere?.id, shape?.id);
  assert.match(shape?.id ?? '', /^[0-9a-f]{24}$/);
});

test('shapes whose keys have a common prefix share one suggestion, and existing indexes are not suggested', () => {
  const shapes = shapesOf([find({ name: 'Vega' }), find({ name: 'Vega', port: { $gt: 'R' } })]);
  const [index, ...others] = suggestedIndexes(shapes, 200, none);
  assert.deepEqual(others, []);
  assert.deepEqual(index?.keys, [
    ['name', 1],
    ['port', 1],
  ]);
  assert.equal(index?.shapes.length, 2);
  const existing: readonly IndexKey[] = [['name', -1]];
  assert.deepEqual(
    suggestedIndexes(shapes, 200, () => [existing]).map(({ shapes }) => shapes.length),
    [1],
  );
});

test('the weight is the share of time that went into documents which were not returned', () => {
  const half = query({ filter: { name: 'Vega' } }, { docsExamined: 100, nreturned: 5, millis: 100 });
  const [index] = suggestedIndexes(shapesOf([half]), 400, none);
  assert.equal(index?.weight, 23.75);
});
