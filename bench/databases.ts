import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { Deployment } from '../packages/engine/src/interface/engine.ts';
import { type BenchEngine, withEngine } from './engine-support.ts';
import { atMost, type Figure, median, type Part, percentile } from './figure.ts';
import { milliseconds } from './support.ts';

const WRITES_PER_SECOND = 2_000;
const TICK_MS = 10;
const SECONDS = 4;
/** Warm-up, after which all connections are open. */
const WARM_UP_SECONDS = 1;
const IDLE_STREAMS = 100;
const IDLE_CLUSTERS = 100;
/** The size of the large cluster. Each of its documents has 1 KB. */
const GIGABYTES = Number(process.env.BENCH_FILE_GB ?? 1);
const BATCH = 2_000;
const REOPENINGS = 5;

/** The cost of idle databases, and the time from a write to its event in a change stream. */
export const databases: Part = {
  name: 'databases',
  measure: async () => [
    ...(await withEngine(streams)),
    ...(await withEngine(idleClusters)),
    ...(await withEngine(reopening)),
  ],
};

async function streams(bench: BenchEngine): Promise<Figure[]> {
  const client = await bench.connect(await bench.provision(1));
  try {
    const alone = await delays(client);
    const idle = Array.from({ length: IDLE_STREAMS }, (_, i) =>
      client.db('idle').collection(`c${i}`).watch(),
    );
    for (const stream of idle) stream.on('change', () => {});
    await Promise.all(idle.map((stream) => once(stream, 'resumeTokenChanged')));
    const among = await delays(client);
    await Promise.all(idle.map((stream) => stream.close()));
    const figure = (name: string, values: readonly number[]): Figure => ({
      name,
      value: percentile(values, 0.99),
      unit: 'ms',
      target: atMost(50),
    });
    return [
      figure(`p99 of a change stream at ${WRITES_PER_SECOND.toLocaleString('en')} writes/s`, alone),
      figure(
        `p99 of a change stream at ${WRITES_PER_SECOND.toLocaleString('en')} writes/s, with ${IDLE_STREAMS} idle streams`,
        among,
      ),
    ];
  } finally {
    await client.close();
  }
}

/** Milliseconds between the reply to each write and its event; 0 if the event came first. */
async function delays(client: MongoClient): Promise<number[]> {
  const ticks = client.db('bench').collection<{ _id: number }>('ticks');
  await ticks.deleteMany({});
  const stream = ticks.watch([{ $match: { operationType: 'insert' } }], { batchSize: 1_000 });
  const [answered, eventTimes]: [number[], number[]] = [[], []];
  stream.on('change', (event) => {
    if (event.operationType === 'insert') eventTimes[event.documentKey._id] = performance.now();
  });
  await setTimeout(200);
  const write = async (_id: number) => {
    await ticks.insertOne({ _id });
    answered[_id] = performance.now();
  };
  const sent: Array<Promise<void>> = [];
  const start = performance.now();
  const ticksOf = (seconds: number) => (seconds * 1_000) / TICK_MS;
  for (let tick = 0; tick < ticksOf(WARM_UP_SECONDS + SECONDS); tick++) {
    await setTimeout(Math.max(0, start + tick * TICK_MS - performance.now()));
    for (let i = 0; i < (WRITES_PER_SECOND * TICK_MS) / 1_000; i++) sent.push(write(sent.length));
  }
  await Promise.all(sent);
  while (Object.keys(eventTimes).length < sent.length) await setTimeout(10);
  await stream.close();
  const waited = answered.map((at, _id) => Math.max(0, (eventTimes[_id] ?? Number.POSITIVE_INFINITY) - at));
  return waited.slice(WRITES_PER_SECOND * WARM_UP_SECONDS);
}

async function idleClusters({ engine, provision }: BenchEngine): Promise<Figure[]> {
  for (let i = 1; i <= IDLE_CLUSTERS; i++) await provision(i);
  await setTimeout(1_000);
  const { rss } = await engine.status();
  const name = `memory of an engine host with ${IDLE_CLUSTERS} idle clusters`;
  return [{ name, value: rss / 2 ** 20, unit: 'MiB', target: atMost(300) }];
}

async function reopening({ engine, provision, connect }: BenchEngine): Promise<Figure[]> {
  const made = await provision(1);
  const client = await connect(made);
  const documents = client.db('bench').collection<{ _id: number; pad: string }>('documents');
  const pad = 'x'.repeat(1_000);
  for (let from = 0; from < GIGABYTES * 1_000_000; from += BATCH) {
    await documents.insertMany(Array.from({ length: BATCH }, (_, i) => ({ _id: from + i, pad })));
  }
  await client.close();
  const times: number[] = [];
  const answers: number[] = [];
  for (let i = 0; i < REOPENINGS; i++) {
    await engine.pause(made.id);
    const start = performance.now();
    await engine.resume(made.id);
    times.push(milliseconds(start));
    answers.push(await firstAnswer(made, connect));
  }
  const { rss } = await engine.status();
  const name = `a cluster with ${GIGABYTES} GB of data`;
  return [
    { name: `reopen ${name}`, value: median(times), unit: 'ms', target: atMost(200) },
    { name: `first response of ${name}`, value: median(answers), unit: 'ms', target: atMost(200) },
    { name: `memory of the engine host after reopening ${name}`, value: rss / 2 ** 20, unit: 'MiB' },
  ];
}

async function firstAnswer(made: Deployment, connect: BenchEngine['connect']): Promise<number> {
  const client = await connect(made);
  const start = performance.now();
  await client.db('bench').collection<{ _id: number }>('documents').findOne({ _id: 123_456 });
  const waited = milliseconds(start);
  await client.close();
  return waited;
}
