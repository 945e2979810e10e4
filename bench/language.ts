import { Aggregator, Query } from 'mingo';
import type { Collection, Document } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, median, type Part } from './figure.ts';
import { milliseconds } from './support.ts';

const DOCUMENTS = 100_000;
const BATCH = 1000;
const ROUNDS = 5;

/** About 1 KB each. */
const example = (id: number): Document => ({
  _id: id,
  number: id,
  group: id % 100,
  even: id % 2 === 0,
  name: `name ${(id * 7919) % 1000}`,
  text: 'x'.repeat(900),
});

const GROUP = [{ $group: { _id: '$group', total: { $sum: '$number' }, count: { $sum: 1 } } }];
const FILTER = { name: 'name 5', number: { $gte: DOCUMENTS / 2 } };
const SORT = { name: 1, number: -1 } as const;

/** Stages over a whole collection without an index, beside a library that has the same documents decoded in memory. */
export const language: Part = {
  name: 'language',
  measure: () =>
    withEngine(async ({ provision, connect }): Promise<Figure[]> => {
      const driver = await connect(await provision(1));
      try {
        const documents = driver.db('bench').collection('language');
        await insertAll(documents);
        const decoded = Array.from({ length: DOCUMENTS }, (_, id) => example(id));
        return await measureAll(documents, decoded);
      } finally {
        await driver.close();
      }
    }),
};

async function insertAll(documents: Collection): Promise<void> {
  for (let first = 0; first < DOCUMENTS; first += BATCH) {
    await documents.insertMany(Array.from({ length: BATCH }, (_, i) => example(first + i)));
  }
}

async function measureAll(documents: Collection, decoded: readonly Document[]): Promise<Figure[]> {
  const group = await duration(() => documents.aggregate(GROUP).toArray());
  const groupThere = await duration(() => new Aggregator(GROUP).run([...decoded]));
  const filter = await duration(() => documents.find(FILTER).toArray());
  const filterThere = await duration(() => new Query(FILTER).find(decoded).all());
  const sort = await duration(() => documents.find().sort(SORT).limit(10).toArray());
  const sortThere = await duration(() => new Query({}).find(decoded).sort(SORT).limit(10).all());
  const perSecond = (ms: number) => (DOCUMENTS / ms) * 1000;
  const library = (value: number) => ({ name: 'mingo, decoded', value });
  return [
    {
      name: '$group of 100,000 by one field',
      value: group,
      unit: 'ms',
      baseline: library(groupThere),
      target: atMost(1.5, 'ratio'),
    },
    {
      name: 'filter without an index',
      value: perSecond(filter),
      unit: 'documents/s',
      baseline: library(perSecond(filterThere)),
      target: atLeast(200_000),
    },
    {
      name: 'first 10 of 100,000 in order',
      value: sort,
      unit: 'ms',
      baseline: library(sortThere),
      target: atMost(1.5, 'ratio'),
    },
  ];
}

/** In milliseconds, the middle of some rounds. */
async function duration(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(milliseconds(start));
  }
  return median(times);
}
