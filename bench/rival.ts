import { type Collection, type Document, MongoClient } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atMost, type Figure, type Part } from './figure.ts';
import { JAVA_SERVER, startJavaServer } from './java-server.ts';
import { insertRate, type Processor, pooledRate, type Rate } from './rates.ts';

const DOCUMENTS = 10_000;
const BATCH = 1_000;
const BATCHES = 60;

const example = (id: number) => ({ _id: id, number: id, text: 'x'.repeat(150), even: id % 2 === 0 });

interface Server {
  readonly documents: Collection<{ _id: number } & Document>;
  readonly processor: Processor;
}

/** The same operations on the engine, which writes to disk, and on an in-memory database. */
export const rival: Part = {
  name: 'rival',
  measure: () =>
    withEngine(async ({ provision, connect, processor }) => {
      const other = await startJavaServer();
      if (other === undefined) return [];
      const [here, there] = [await connect(await provision(1)), await connected(other.url)];
      try {
        return await compare(
          { documents: documentsOf(here), processor },
          { documents: documentsOf(there), processor: other.processor },
        );
      } finally {
        await Promise.all([here.close(), there.close()]);
        await other.stop();
      }
    }),
};

const connected = (url: string) => new MongoClient(url, { maxPoolSize: 200 }).connect();
const documentsOf = (client: MongoClient): Server['documents'] => client.db('bench').collection('documents');

async function compare(here: Server, there: Server): Promise<Figure[]> {
  const figures: Figure[] = [];
  const add = (name: string, own: Rate, other: Rate) =>
    figures.push({
      name: `${name}, beside a database in memory, CPU time`,
      value: own.micros,
      unit: 'µs',
      baseline: { name: JAVA_SERVER, value: other.micros },
      target: atMost(1, 'ratio'),
    });
  for (const callers of [1, 4]) {
    // Insert once without measuring, to warm up.
    for (const server of [here, there]) await inserted(server, callers);
    const name = `insert in batches of ${BATCH.toLocaleString('en')} documents, ${named(callers)}`;
    add(name, await inserted(here, callers), await inserted(there, callers));
  }
  for (const server of [here, there]) {
    await server.documents.drop();
    await server.documents.insertMany(Array.from({ length: DOCUMENTS }, (_, id) => example(id)));
  }
  const operations: readonly [string, (server: Server) => Promise<unknown>][] = [
    ['findOne by _id', ({ documents }) => documents.findOne({ _id: anyId() })],
    [
      'updateOne by _id',
      ({ documents }) => documents.updateOne({ _id: anyId() }, { $set: { number: anyId() } }),
    ],
  ];
  for (const [name, operation] of operations) {
    for (const callers of [1, 4])
      add(
        `${name}, ${named(callers)}`,
        await pooledRate(here.processor, () => operation(here), callers),
        await pooledRate(there.processor, () => operation(there), callers),
      );
  }
  return figures;
}

const named = (callers: number) => (callers === 1 ? 'one caller' : 'four callers');
const anyId = () => Math.floor(Math.random() * DOCUMENTS);

async function inserted({ documents, processor }: Server, callers: number): Promise<Rate> {
  await documents.drop().catch(() => false);
  const batches = Array.from({ length: BATCHES }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => example(batch * BATCH + index)),
  );
  return insertRate(documents, processor, callers, batches);
}
