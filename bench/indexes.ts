import type { Collection } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { milliseconds } from './support.ts';

const DOCUMENTS = 1_000_000;
const BATCH = 10_000;
const ROUNDS = 9;

const example = (id: number) => ({
  _id: id,
  number: (id * 7919) % DOCUMENTS,
  tags: [id % 1000, (id * 31) % 1000],
  text: 'x'.repeat(100),
});

/** Queries with an index on 1,000,000 documents, and the time to build an index. */
export const indexes: Part = {
  name: 'indexes',
  measure: () =>
    withEngine(async ({ provision, connect }): Promise<Figure[]> => {
      const driver = await connect(await provision(1));
      try {
        const documents = driver.db('bench').collection<ReturnType<typeof example>>('indexed');
        for (let first = 0; first < DOCUMENTS; first += BATCH) {
          await documents.insertMany(Array.from({ length: BATCH }, (_, i) => example(first + i)));
        }
        return await measureAll(documents);
      } finally {
        await driver.close();
      }
    }),
};

async function measureAll(documents: Collection<ReturnType<typeof example>>): Promise<Figure[]> {
  const build = await once(() => documents.createIndex({ number: 1 }));
  const multikey = await once(() => documents.createIndex({ tags: 1 }));
  const low = () => Math.floor(Math.random() * (DOCUMENTS - 100));
  const range = await duration(() => {
    const from = low();
    return documents.find({ number: { $gte: from, $lt: from + 100 } }).toArray();
  });
  const count = await duration(() => documents.countDocuments({ number: { $gte: 0 } }));
  const counted = await duration(() => command(documents, { number: { $gte: 0 } }));
  const entries = await duration(() => command(documents, { tags: { $gte: 0 } }));
  return [
    ms('100 documents by a range of an index, 1,000,000 documents', range, 10),
    ms('count by an index, 1,000,000 documents', counted, 100),
    ms('count by a multikey index, 1,000,000 documents', entries, 1000),
    ms('countDocuments by an index, 1,000,000 documents', count),
    ms('create an index, 1,000,000 documents', build),
    ms('create a multikey index, 1,000,000 documents', multikey),
  ];
}

function command(documents: Collection<ReturnType<typeof example>>, query: object): Promise<unknown> {
  return documents.db.command({ count: documents.collectionName, query });
}

function ms(name: string, value: number, most?: number): Figure {
  return { name, value, unit: 'ms', ...(most === undefined ? {} : { target: atMost(most) }) };
}

async function once(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return milliseconds(start);
}

/** Measures the median duration of several rounds in milliseconds. */
async function duration(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await once(work));
  return median(times);
}
