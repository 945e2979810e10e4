import { Aggregator, Query } from 'mingo';
import type { Collection, Document } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, median, type Part } from './figure.ts';
import { milliseconds } from './support.ts';

const DOCUMENTS = 100_000;
const BATCH = 1000;
const ROUNDS = 9;

/** Returns a document of about 1 KB. */
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

/** Stages on a collection without an index, compared with a library that has the decoded documents in memory. */
export const language: Part = {
  name: 'language',
  measure: () =>
    withEngine(async ({ provision, connect, processor }): Promise<Figure[]> => {
      const driver = await connect(await provision(1));
      try {
        const documents = driver.db('bench').collection('language');
        await insertAll(documents);
        const decoded = Array.from({ length: DOCUMENTS }, (_, id) => example(id));
        return await measureAll(documents, decoded, processor);
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

async function measureAll(
  documents: Collection,
  decoded: readonly Document[],
  processor: Processor,
): Promise<Figure[]> {
  const both = (here: Work, there: Work) => compared(here, there, processor);
  const group = await both(
    () => documents.aggregate(GROUP).toArray(),
    () => new Aggregator(GROUP).run([...decoded]),
  );
  const filter = await both(
    () => documents.find(FILTER).toArray(),
    () => new Query(FILTER).find(decoded).all(),
  );
  const sort = await both(
    () => documents.find().sort(SORT).limit(10).toArray(),
    () => new Query({}).find(decoded).sort(SORT).limit(10).all(),
  );
  const perSecond = (ms: number) => (DOCUMENTS / ms) * 1000;
  return [
    ...inTime('$group of 100,000 documents by one field', group),
    {
      name: 'filter 100,000 documents without an index',
      value: perSecond(filter.here.ms),
      unit: 'documents/s',
      baseline: library(perSecond(filter.there.ms)),
      target: atLeast(200_000),
    },
    ...inTime('first 10 of 100,000 documents in order', sort),
  ];
}

const library = (value: number) => ({ name: 'mingo', value });

/** Figures in CPU time and in wall time. Other load affects CPU time less. */
function inTime(name: string, { here, there }: Compared): Figure[] {
  const target = atMost(1.5, 'ratio');
  return [
    { name, value: here.ms, unit: 'ms', baseline: library(there.ms), target },
    {
      name: `${name}, CPU time`,
      value: here.processor,
      unit: 'ms',
      baseline: library(there.processor),
    },
  ];
}

/** The CPU time of the host, in microseconds. */
type Processor = () => Promise<NodeJS.CpuUsage>;
type Work = () => unknown;

interface Duration {
  readonly ms: number;
  /** CPU time in milliseconds. */
  readonly processor: number;
}

interface Compared {
  readonly here: Duration;
  readonly there: Duration;
}

/** Runs the engine and the library alternately, so that other load on the machine affects them equally. */
async function compared(here: Work, there: Work, processor: Processor): Promise<Compared> {
  const own: Processor = async () => process.cpuUsage();
  const times: Compared[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push({ here: await duration(here, processor), there: await duration(there, own) });
  }
  return { here: middle(times.map((one) => one.here)), there: middle(times.map((one) => one.there)) };
}

async function duration(work: Work, processor: Processor): Promise<Duration> {
  const before = await processor();
  const start = performance.now();
  await work();
  const ms = milliseconds(start);
  const after = await processor();
  return { ms, processor: (after.user + after.system - before.user - before.system) / 1_000 };
}

function middle(times: readonly Duration[]): Duration {
  return {
    ms: median(times.map(({ ms }) => ms)),
    processor: median(times.map(({ processor }) => processor)),
  };
}
