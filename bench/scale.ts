import type { MongoClient } from 'mongodb';
import { WireClient } from '../packages/engine/src/wire/testing.ts';
import { type BenchEngine, withEngine } from './engine-support.ts';
import { atMost, type Figure, type Part, percentile } from './figure.ts';
import { countFor } from './rates.ts';
import { milliseconds } from './support.ts';

const DRIVERS = 64;
const THINK_MS = 50;
const SECONDS = 8;
const DOCUMENTS = 10_000;
const CONNECTIONS = 1_000;
const COLLECTIONS = 10_000;
const AT_ONCE = 50;

/** One cluster with many drivers, connections and collections. */
export const scale: Part = {
  name: 'scale',
  measure: async () => [
    ...(await withEngine(manyDrivers)),
    ...(await withEngine(idleConnections)),
    ...(await withEngine(manyCollections)),
  ],
};

/** Measures many drivers. Each uses one connection, and pauses between operations as people and programs do. */
async function manyDrivers(bench: BenchEngine): Promise<Figure[]> {
  const made = await bench.provision(1);
  const first = await bench.connect(made);
  const all = Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, number: 0 }));
  await first.db('bench').collection<{ _id: number }>('documents').insertMany(all);
  const drivers = [first];
  while (drivers.length < DRIVERS) drivers.push(await bench.connect(made));
  const delays: number[] = [];
  let at = 0;
  const operation = async () => {
    const documents = (drivers[at++ % DRIVERS] as MongoClient)
      .db('bench')
      .collection<{ _id: number; number: number }>('documents');
    const _id = Math.floor(Math.random() * DOCUMENTS);
    const start = performance.now();
    if (at % 4 === 0) await documents.updateOne({ _id }, { $inc: { number: 1 } });
    else await documents.findOne({ _id });
    delays.push(milliseconds(start));
  };
  try {
    const paced = { lanes: DRIVERS, thinkMs: THINK_MS };
    await countFor(operation, { ...paced, seconds: 2 });
    delays.length = 0;
    const count = await countFor(operation, { ...paced, seconds: SECONDS });
    const name = `${DRIVERS} drivers, each with an operation every ${THINK_MS} ms`;
    return [
      { name: `${name}, p99`, value: percentile(delays, 0.99), unit: 'ms', target: atMost(50) },
      { name: `${name}, operations`, value: count / SECONDS, unit: '/s' },
    ];
  } finally {
    await Promise.all(drivers.map((driver) => driver.close()));
  }
}

async function idleConnections({ engine, provision }: BenchEngine): Promise<Figure[]> {
  const { members } = await provision(1);
  const port = members[0]?.port ?? 0;
  const open = async (count: number) => {
    const clients: WireClient[] = [];
    while (clients.length < count) {
      const client = await WireClient.connect(port);
      await client.command({ hello: 1, $db: 'admin' });
      clients.push(client);
    }
    return clients;
  };
  // Open some connections without measuring, since the first ones load code.
  const clients = await open(AT_ONCE);
  const before = await engine.status();
  clients.push(...(await open(CONNECTIONS)));
  const after = await engine.status();
  for (const client of clients) client.end();
  return [
    {
      name: `${CONNECTIONS} idle connections, memory of each`,
      value: (after.rss - before.rss) / 1024 / CONNECTIONS,
      unit: 'KiB',
      target: atMost(64),
    },
  ];
}

async function manyCollections({ engine, provision, connect }: BenchEngine): Promise<Figure[]> {
  const made = await provision(1);
  const driver = await connect(made);
  const before = await engine.status();
  let next = 0;
  const start = performance.now();
  const lane = async () => {
    while (next < COLLECTIONS) await driver.db('bench').collection(`c${next++}`).insertOne({ n: 1 });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const creating = milliseconds(start);
  const after = await engine.status();
  await driver.close();
  await engine.pause(made.id);
  const resumed = performance.now();
  await engine.resume(made.id);
  const opening = milliseconds(resumed);
  const again = await connect(made);
  const first = performance.now();
  await again.db('bench').collection('c9999').findOne({ n: 1 });
  const answering = milliseconds(first);
  await again.close();
  const name = `${COLLECTIONS.toLocaleString('en')} collections`;
  return [
    { name: `${name}: create each with a document`, value: creating / COLLECTIONS, unit: 'ms' },
    { name: `${name}: memory of the engine host`, value: (after.rss - before.rss) / 2 ** 20, unit: 'MiB' },
    { name: `${name}: reopen the cluster`, value: opening, unit: 'ms', target: atMost(500) },
    {
      name: `${name}: first response of the reopened cluster`,
      value: answering,
      unit: 'ms',
      target: atMost(500),
    },
  ];
}
