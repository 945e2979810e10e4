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
const keysOf = async (...queries: SlowQuery[]) => (await shapesOf(queries)).map(({ keys }) => keys);
const none = () => [];

test('an index has the fields of equality, then those of the sort, then those of ranges', async () => {
  const filter = { length: { $gt: 10 }, name: 'Vega', port: { $in: ['Riga'] } };
  assert.deepEqual(await keysOf(find(filter, { built: -1, name: 1 })), [
    [
      ['name', 1],
      ['port', 1],
      ['built', -1],
      ['length', 1],
    ],
  ]);
});

test('conjunctions count as filters, and values of types that JSON lacks are compared for equality', async () => {
  const filter = { $and: [{ owner: { $oid: '6b0854f82039a58ed9316db3' } }, { flag: { $exists: true } }] };
  assert.deepEqual(await keysOf(find(filter)), [
    [
      ['owner', 1],
      ['flag', 1],
    ],
  ]);
});

test('operations that no index makes faster have no shape', async () => {
  const efficient = query({ find: 'ships', filter: { name: 'Vega' } }, { nreturned: 100 });
  assert.deepEqual(await keysOf(find({}), find({}, { name: 1 }), find({ _id: 1 }), efficient), []);
  assert.deepEqual(await keysOf(find({ $or: [{ a: 1 }, { b: 1 }] })), []);
});

test('operations of one shape are counted together, whatever their values', async () => {
  const [shape, ...others] = await shapesOf([find({ name: 'Vega' }), find({ name: 'Lyra' })]);
  assert.deepEqual([shape?.queries.length, others], [2, []]);
  const [elsewhere] = await shapesOf([query({ filter: { name: 'Vega' } }, { namespace: 'harbour.boats' })]);
  assert.notEqual(elsewhere?.id, shape?.id);
  assert.match(shape?.id ?? '', /^[0-9a-f]{24}$/);
});

test('shapes whose keys have a common prefix share one suggestion, and existing indexes are not suggested', async () => {
  const shapes = await shapesOf([find({ name: 'Vega' }), find({ name: 'Vega', port: { $gt: 'R' } })]);
  const [index, ...others] = await suggestedIndexes(shapes, 200, none);
  assert.deepEqual(others, []);
  assert.deepEqual(index?.keys, [
    ['name', 1],
    ['port', 1],
  ]);
  assert.equal(index?.shapes.length, 2);
  const existing: readonly IndexKey[] = [['name', -1]];
  assert.deepEqual(
    (await suggestedIndexes(shapes, 200, () => [existing])).map(({ shapes }) => shapes.length),
    [1],
  );
});

test('the weight is the share of time that went into documents which were not returned', async () => {
  const half = query({ filter: { name: 'Vega' } }, { docsExamined: 100, nreturned: 5, millis: 100 });
  const [index] = await suggestedIndexes(await shapesOf([half]), 400, none);
  assert.equal(index?.weight, 23.75);
});

/** Returns how often the event loop ran other work before the promise was settled. */
async function pausesIn(work: Promise<unknown>): Promise<number> {
  let pauses = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    pauses++;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return pauses;
}

test('indexes are suggested for the 1,000 shapes that took the most time, with pauses for other requests', async () => {
  const queries = Array.from({ length: 3000 }, (_, i) =>
    query({ find: 'ships', filter: { [`f${i}`]: 1 } }, { millis: i }),
  );
  const shapes = await shapesOf(queries);
  assert.equal(shapes.length, 1000);
  assert.deepEqual(shapes[0]?.keys, [['f2999', 1]]);
  const suggested = suggestedIndexes(shapes, 1000, none);
  assert.ok((await pausesIn(suggested)) > 10);
  assert.equal((await suggested).length, 1000);
  assert.ok((await pausesIn(shapesOf([...queries, ...queries, ...queries, ...queries]))) > 5);
});
