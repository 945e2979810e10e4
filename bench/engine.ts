import { type Collection, type Document, MongoClient } from 'mongodb';
import { atLeast, type Figure, type Part } from './figure.ts';
import { readyAnswers } from './ready-answers.ts';
import { type Client, clusterBody, milliseconds, startScript, withService } from './support.ts';

const POOL = 16;
const DOCUMENTS = 10_000;
const SECONDS = 4;
const WARM_UP_SECONDS = 1;
const BATCH = 1000;
export const auth = { username: 'bench', password: 'a bench in the harbour' };

const example = (id: number) => ({ _id: id, number: id, text: 'x'.repeat(150), even: id % 2 === 0 });

/** One document by `_id`, and batches of inserts, through the official driver with a pool of 16. */
export const engine: Part = {
  name: 'engine',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const url = await prepare(bootstrap.groupId, client);
      const driver = await new MongoClient(url, { auth, maxPoolSize: POOL }).connect();
      try {
        return await measureAll(driver);
      } finally {
        await driver.close();
      }
    }),
};

/** A cluster with a user who may do everything; answers its connection string. */
export async function prepare(groupId: string, client: Client): Promise<string> {
  const project = `/groups/${groupId}`;
  const roles = [{ roleName: 'readWriteAnyDatabase', databaseName: 'admin' }];
  await client.call('POST', `${project}/databaseUsers`, { ...auth, databaseName: 'admin', roles });
  await client.call('POST', `${project}/accessList`, [{ ipAddress: '127.0.0.1' }]);
  await client.call('POST', `${project}/clusters`, clusterBody('engine'));
  for (;;) {
    const { body } = await client.call('GET', `${project}/clusters/engine`);
    if (body.stateName === 'IDLE') return String((body.connectionStrings as { standard?: string }).standard);
  }
}

async function measureAll(driver: MongoClient): Promise<Figure[]> {
  const documents = documentsOf(driver);
  const inserts = await insertAll(documents);
  const primary = await driver.db('admin').command({ hello: 1 });
  const ready = await readyAnswers(Number(String(primary.me).split(':').at(-1)), auth);
  const bareSocket = await startScript('bare-wire.ts', ready);
  const url = `mongodb://127.0.0.1:${bareSocket.line}/?directConnection=true`;
  const bareDriver = await new MongoClient(url, { maxPoolSize: POOL }).connect();
  try {
    return [
      ...(await beside(documents, documentsOf(bareDriver))),
      {
        name: `insert in batches of ${BATCH}`,
        value: inserts,
        unit: 'documents/s',
        target: atLeast(60_000),
      },
    ];
  } finally {
    await bareDriver.close();
    await bareSocket.stop();
  }
}

type Documents = Collection<{ _id: number } & Document>;

const documentsOf = (driver: MongoClient): Documents => driver.db('bench').collection('documents');

async function beside(documents: Documents, bare: Documents): Promise<Figure[]> {
  const findOne = (of: Documents) => perSecond(() => of.findOne({ _id: anyId() }));
  const updateOne = (of: Documents) =>
    perSecond(() => of.updateOne({ _id: anyId() }, { $set: { number: anyId() } }));
  const figure = (name: string, value: number, baseline: number): Figure => ({
    name,
    value,
    unit: '/s',
    baseline: { name: 'bare socket', value: baseline },
    target: atLeast(0.5, 'ratio'),
  });
  return [
    figure('findOne by _id', await findOne(documents), await findOne(bare)),
    figure('updateOne by _id', await updateOne(documents), await updateOne(bare)),
  ];
}

const anyId = () => Math.floor(Math.random() * DOCUMENTS);

async function insertAll(documents: Documents): Promise<number> {
  const batches = Array.from({ length: 100 }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => example(batch * BATCH + index)),
  );
  const start = performance.now();
  for (const batch of batches) await documents.insertMany(batch);
  return (batches.length * BATCH) / (milliseconds(start) / 1000);
}

/** Operations per second when each connection of the pool always has one under way, after a warm-up. */
async function perSecond(operation: () => Promise<unknown>): Promise<number> {
  await count(operation, WARM_UP_SECONDS);
  return (await count(operation, SECONDS)) / SECONDS;
}

async function count(operation: () => Promise<unknown>, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const lane = async () => {
    for (; performance.now() < until; count++) await operation();
  };
  await Promise.all(Array.from({ length: POOL }, lane));
  return count;
}
