import { type Collection, type Document, MongoClient } from 'mongodb';
import { benchUser, withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, type Part } from './figure.ts';
import { insertRate, POOL, type Processor, pooledRate } from './rates.ts';
import { readyAnswers } from './ready-answers.ts';
import { startScript } from './support.ts';

const DOCUMENTS = 10_000;
const BATCH = 1000;
const BATCHES = 100;

const example = (id: number) => ({ _id: id, number: id, text: 'x'.repeat(150), even: id % 2 === 0 });

/** Reading one document by `_id`, and inserting batches, with the official driver and a pool of 16 connections. */
export const engine: Part = {
  name: 'engine',
  measure: () =>
    withEngine(async (bench): Promise<Figure[]> => {
      const made = await bench.provision(1);
      const driver = await bench.connect(made);
      try {
        return await measureAll(driver, made.members[0]?.port ?? 0, () => bench.processor());
      } finally {
        await driver.close();
      }
    }),
};

async function measureAll(driver: MongoClient, port: number, processor: Processor): Promise<Figure[]> {
  const documents = documentsOf(driver);
  const inserts = await insertFigures(documents, processor);
  const ready = await readyAnswers(port, benchUser);
  const bareSocket = await startScript('bare-wire.ts', ready);
  const url = `mongodb://127.0.0.1:${bareSocket.line}/?directConnection=true`;
  const bareDriver = await new MongoClient(url, { maxPoolSize: POOL }).connect();
  try {
    const bare = { documents: documentsOf(bareDriver), processor: () => bareSocket.usage() };
    return [...(await beside({ documents, processor }, bare)), ...inserts];
  } finally {
    await bareDriver.close();
    await bareSocket.stop();
  }
}

type Documents = Collection<{ _id: number } & Document>;
interface Server {
  readonly documents: Documents;
  readonly processor: Processor;
}

const documentsOf = (driver: MongoClient): Documents => driver.db('bench').collection('documents');

async function beside(server: Server, bare: Server): Promise<Figure[]> {
  const findOne = ({ documents }: Server) => documents.findOne({ _id: anyId() });
  const updateOne = ({ documents }: Server) =>
    documents.updateOne({ _id: anyId() }, { $set: { number: anyId() } });
  const figures = async (name: string, operation: (of: Server) => Promise<unknown>, least: number) => {
    const own = await pooledRate(server.processor, () => operation(server));
    const there = await pooledRate(bare.processor, () => operation(bare));
    const baseline = (value: number) => ({ name: 'bare socket', value });
    return [
      {
        name,
        value: own.perSecond,
        unit: '/s',
        baseline: baseline(there.perSecond),
        target: atLeast(least, 'ratio'),
      },
      {
        name: `${name}, CPU time`,
        value: own.micros,
        unit: 'µs',
        baseline: baseline(there.micros),
      },
    ];
  };
  return [
    ...(await figures('findOne by _id', findOne, 0.7)),
    ...(await figures('updateOne by _id', updateOne, 0.5)),
  ];
}

const anyId = () => Math.floor(Math.random() * DOCUMENTS);

async function insertFigures(documents: Documents, processor: Processor): Promise<Figure[]> {
  const one = await insertRate(documents, processor, 1, batchesFrom(0));
  const four = await insertRate(documents, processor, 4, batchesFrom(BATCHES * BATCH));
  const name = `insert in batches of ${BATCH.toLocaleString('en')} documents`;
  return [
    { name, value: one.perSecond, unit: 'documents/s', target: atLeast(60_000) },
    { name: `${name}, CPU time per document`, value: one.micros, unit: 'µs', target: atMost(10) },
    {
      name: `${name}, four callers`,
      value: four.perSecond,
      unit: 'documents/s',
      baseline: { name: 'one caller', value: one.perSecond },
      target: atLeast(1.3, 'ratio'),
    },
    {
      name: `${name}, four callers, CPU time per document`,
      value: four.micros,
      unit: 'µs',
      target: atMost(10),
    },
  ];
}

const batchesFrom = (first: number) =>
  Array.from({ length: BATCHES }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => example(first + batch * BATCH + index)),
  );
