import { setTimeout } from 'node:timers/promises';
import type { Collection, Document, MongoClient } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atMost, type Figure, type Part, percentile } from './figure.ts';
import { milliseconds } from './support.ts';

const DOCUMENTS = 1_000_000;
const BATCH = 1000;
/** The scan is repeated until this many requests have been measured. */
const SAMPLES = 300;
const IDLE_MS = 1_000;
/** Number of clusters. It is greater than the number of query threads, so that two clusters share a thread. */
const CLUSTERS = 3;

const example = (id: number) => ({ _id: id, number: id, text: 'x'.repeat(150), even: id % 2 === 0 });

/** The duration of small requests while one statement scans 1,000,000 documents. */
export const fairness: Part = {
  name: 'fairness',
  measure: () =>
    withEngine(async (bench) => {
      const drivers: MongoClient[] = [];
      try {
        for (let i = 1; i <= CLUSTERS; i++) drivers.push(await bench.connect(await bench.provision(i)));
        return await measureAll(drivers);
      } finally {
        await Promise.all(drivers.map((driver) => driver.close()));
      }
    }),
};

async function measureAll(drivers: readonly MongoClient[]): Promise<Figure[]> {
  const [scanned, ...others] = drivers;
  if (scanned === undefined) return [];
  const documents = scanned.db('bench').collection<{ _id: number } & Document>('documents');
  await fill(documents);
  const small = others.map((driver) =>
    driver.db('bench').collection<{ _id: number } & Document>('documents'),
  );
  for (const each of small) await each.insertOne(example(1));
  const scan = () => documents.find({ nothing: 1 }).toArray();
  const anyId = () => Math.floor(Math.random() * DOCUMENTS);
  const operations: Operations = {
    'ping on the same cluster': () => scanned.db('admin').command({ ping: 1 }),
    'findOne on the same cluster': () => documents.findOne({ _id: anyId() }),
    'updateOne on the same cluster': () => documents.updateOne({ _id: anyId() }, { $set: { number: 1 } }),
    'ping on other clusters': () =>
      Promise.all(others.map((driver) => driver.db('admin').command({ ping: 1 }))),
    'findOne on other clusters': () => Promise.all(small.map((each) => each.findOne({ _id: 1 }))),
  };
  const alone = await during(() => setTimeout(IDLE_MS), operations);
  const times = await during(scan, operations);
  return Object.entries(times).map(([name, values]) => ({
    name: `p99 of ${name} during a scan of 1,000,000 documents`,
    value: percentile(values, 0.99),
    unit: 'ms',
    baseline: { name: 'without a scan', value: percentile(alone[name] ?? [], 0.99) },
    target: atMost(50),
  }));
}

async function fill(documents: Collection<{ _id: number } & Document>): Promise<void> {
  for (let first = 0; first < DOCUMENTS; first += BATCH) {
    await documents.insertMany(Array.from({ length: BATCH }, (_, i) => example(first + i)));
  }
}

type Operations = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs the operations, one of each kind at a time, while `work` is in progress. Returns their durations in
 * milliseconds.
 */
async function during(
  work: () => Promise<unknown>,
  operations: Operations,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  let going = true;
  const lanes = Object.entries(operations).map(async ([name, operation]) => {
    const own: number[] = [];
    times[name] = own;
    while (going) {
      const start = performance.now();
      await operation();
      own.push(milliseconds(start));
    }
  });
  const enough = () => Object.values(times).every((own) => own.length >= SAMPLES);
  while (!enough()) await work();
  going = false;
  await Promise.all(lanes);
  return times;
}
