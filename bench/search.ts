import type { Collection, Document } from 'mongodb';
import { type BenchEngine, withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, median, type Part } from './figure.ts';
import { milliseconds } from './support.ts';

const DOCUMENTS = 100_000;
const DIMENSIONS = 256;
const BATCH = 5_000;
const ROUNDS = 15;
const POLL_INTERVAL_MS = 20;
const MEBIBYTE = 2 ** 20;
/** Limit for the memory of the whole host, with 200,000 indexed documents. */
const MAX_MEBIBYTES = 1_024;

/** Returns a random word from a vocabulary with a few frequent and many rare words, as in natural texts. */
const word = () => `word${Math.floor(20_000 * Math.random() ** 3)}`;

/** Returns a document of about 1 KB. */
const example = (id: number) => ({
  _id: id,
  title: Array.from({ length: 8 }, word).join(' '),
  body: Array.from({ length: 100 }, word).join(' '),
  number: id % 1_000,
});

/**
 * Search indexes on 100,000 documents: how fast they are built, searched and updated, and how much memory they take.
 */
export const search: Part = {
  name: 'search',
  measure: () =>
    withEngine(async (bench): Promise<Figure[]> => {
      const driver = await bench.connect(await bench.provision(1));
      try {
        const texts = driver.db('bench').collection<Document>('texts');
        await fill(texts, example);
        const vectors = driver.db('bench').collection<Document>('vectors');
        await fill(vectors, (id) => ({
          _id: id,
          v: Array.from({ length: DIMENSIONS }, () => Math.random()),
        }));
        return [
          await memory(bench, 'without search indexes'),
          ...(await measureTexts(bench, texts)),
          await memory(bench, 'with a search index of texts'),
          ...(await measureVectors(bench, vectors)),
          {
            ...(await memory(bench, 'with search indexes of texts and vectors')),
            target: atMost(MAX_MEBIBYTES),
          },
        ];
      } finally {
        await driver.close();
      }
    }),
};

async function memory({ engine }: BenchEngine, when: string): Promise<Figure> {
  const { rss } = await engine.status();
  return { name: `memory of the engine host ${when}`, value: rss / MEBIBYTE, unit: 'MiB' };
}

async function fill(collection: Collection<Document>, make: (id: number) => Document): Promise<void> {
  for (let first = 0; first < DOCUMENTS; first += BATCH) {
    await collection.insertMany(Array.from({ length: BATCH }, (_, i) => make(first + i)));
  }
}

async function measureTexts(bench: BenchEngine, texts: Collection<Document>): Promise<Figure[]> {
  const built = await worked(bench, () =>
    untilServed(texts, { definition: { mappings: { dynamic: true } } }),
  );
  const searched = await worked(bench, () =>
    duration(() => {
      const stage = { text: { query: `${word()} ${word()}`, path: 'body' } };
      return texts.aggregate([{ $search: stage }, { $limit: 10 }]).toArray();
    }),
  );
  const visible = await duration(async () => {
    const rare = `rare${Math.random().toString(36).slice(2)}`;
    await texts.updateOne({ _id: Math.floor(Math.random() * DOCUMENTS) as never }, { $set: { title: rare } });
    const stage = { $searchMeta: { text: { query: rare, path: 'title' }, count: { type: 'total' } } };
    while ((await texts.aggregate([stage]).next())?.['count']?.total !== 1) await pause();
  });
  return [
    {
      name: 'index documents of 1 KB for search, dynamic mapping',
      value: DOCUMENTS / (built.value / 1000),
      unit: 'documents/s',
      target: atLeast(5_000),
    },
    {
      name: 'index documents of 1 KB for search, dynamic mapping, per second of CPU time',
      value: DOCUMENTS / (built.processor / 1000),
      unit: 'documents/s',
    },
    {
      name: 'search for two words in 100,000 documents',
      value: searched.value,
      unit: 'ms',
      target: atMost(20),
    },
    {
      name: 'search for two words in 100,000 documents, CPU time',
      value: searched.processor / ROUNDS,
      unit: 'ms',
    },
    { name: 'time until a change is searchable', value: visible, unit: 'ms', target: atMost(1_000) },
  ];
}

async function measureVectors(bench: BenchEngine, vectors: Collection<Document>): Promise<Figure[]> {
  const fields = [{ type: 'vector', path: 'v', numDimensions: DIMENSIONS, similarity: 'cosine' }];
  await untilServed(vectors, { type: 'vectorSearch', definition: { fields } });
  const searched = await worked(bench, () =>
    duration(() => {
      const queryVector = Array.from({ length: DIMENSIONS }, () => Math.random());
      const stage = { index: 'default', path: 'v', queryVector, exact: true, limit: 10 };
      return vectors.aggregate([{ $vectorSearch: stage }, { $project: { _id: 1 } }]).toArray();
    }),
  );
  const name = 'nearest 10 of 100,000 vectors of 256 dimensions, exact search';
  return [
    { name, value: searched.value, unit: 'ms', target: atMost(100) },
    { name: `${name}, CPU time`, value: searched.processor / ROUNDS, unit: 'ms' },
  ];
}

/**
 * Returns the result of `work`, and the CPU time of the host while `work` runs, in milliseconds. Other load affects CPU
 * time less.
 */
async function worked(bench: BenchEngine, work: () => Promise<number>) {
  const before = await bench.processor();
  const value = await work();
  const { user, system } = await bench.processor();
  return { value, processor: (user - before.user + system - before.system) / 1000 };
}

/** Milliseconds until the index can be queried. */
async function untilServed(
  collection: Collection<Document>,
  index: { type?: string; definition: Document },
): Promise<number> {
  const start = performance.now();
  await collection.createSearchIndex({ name: 'default', ...index });
  for (;;) {
    const [shown] = await collection.listSearchIndexes('default').toArray();
    if (shown !== undefined && 'queryable' in shown && shown.queryable === true) return milliseconds(start);
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
}

/** Measures the median duration of several rounds in milliseconds. */
async function duration(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(milliseconds(start));
  }
  return median(times);
}
