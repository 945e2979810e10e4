import { DatabaseSync } from 'node:sqlite';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { withEngine } from './engine-support.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { JAVA_SERVER, startJavaServer } from './java-server.ts';
import { type Processor, rateOf } from './rates.ts';

const DOCUMENTS = 100_000;
const FEW = 10_000;
const BATCH = 1_000;
const ROUNDS = 5;
const WORDS = ['anchor', 'buoy', 'cargo', 'dock', 'ensign', 'fathom', 'galley', 'helm', 'jetty', 'keel'];

/** A long text. Sets of such texts exceed the memory limit of a statement. */
const LONG = 'y'.repeat(1_500);

/** Returns a document of about 200 bytes. */
const example = (id: number): Document => ({
  _id: id,
  number: (id * 7919) % DOCUMENTS,
  port: id % FEW,
  text: `${WORDS[id % 10]} ${WORDS[(id * 3 + 1) % 10]} ${id}`,
  place: { type: 'Point', coordinates: [((id * 37) % 36_000) / 100 - 180, ((id * 91) % 16_000) / 100 - 80] },
  pad: 'x'.repeat(60),
});

interface Operation {
  readonly name: string;
  /** How many documents an operation reads or changes. Its time is divided by this number. */
  readonly each: number;
  /** Whether the in-memory database supports the operation. */
  readonly elsewhere: boolean;
  run(of: Collections): Promise<unknown>;
}

interface Collections {
  readonly documents: Collection;
  readonly few: Collection;
}

const lookup = {
  from: 'documents',
  localField: '_id',
  foreignField: 'port',
  as: 'found',
};

const operations: readonly Operation[] = [
  {
    name: 'count by a field without an index',
    each: DOCUMENTS,
    elsewhere: true,
    run: ({ documents }) => documents.countDocuments({ number: -1 }),
  },
  {
    name: 'updateMany without an index',
    each: DOCUMENTS,
    elsewhere: true,
    run: ({ documents }) => documents.updateMany({}, { $inc: { changes: 1 } }),
  },
  {
    name: '$lookup by an index',
    each: FEW,
    elsewhere: false,
    run: ({ few }) => few.aggregate([{ $lookup: lookup }, { $count: 'all' }]).toArray(),
  },
  {
    name: '$group into sets that are spilled to a disk',
    each: DOCUMENTS,
    elsewhere: false,
    run: ({ documents }) =>
      documents
        .aggregate([
          {
            $group: {
              _id: '$port',
              texts: { $addToSet: { $concat: ['$text', { $toString: '$_id' }, LONG] } },
            },
          },
          { $count: 'all' },
        ])
        .toArray(),
  },
  {
    name: 'first 100 in order of a field with an index',
    each: 100,
    elsewhere: true,
    run: ({ documents }) => documents.find().sort({ port: 1 }).limit(100).toArray(),
  },
  {
    name: 'first 100 in order of a field without an index',
    each: DOCUMENTS,
    elsewhere: true,
    run: ({ documents }) => documents.find().sort({ number: 1 }).limit(100).toArray(),
  },
  {
    name: '$text, best 100 of 20,000',
    each: 20_000,
    elsewhere: false,
    run: ({ documents }) =>
      documents
        .find({ $text: { $search: 'anchor' } })
        .sort({ score: { $meta: 'textScore' } })
        .limit(100)
        .toArray(),
  },
  {
    name: '$near, first 100',
    each: 100,
    elsewhere: false,
    run: ({ documents }) =>
      documents
        .find({ place: { $near: { $geometry: { type: 'Point', coordinates: [9.99, 53.55] } } } })
        .limit(100)
        .toArray(),
  },
];
/**
 * Operations on 100,000 documents, compared with an in-memory database if it supports them. The figures are CPU times
 * of the servers.
 */
export const operationsOfMany: Part = {
  name: 'operations',
  measure: () =>
    withEngine(async ({ provision, connect, processor, fileOf }) => {
      const made = await provision(1);
      const other = await startJavaServer();
      const here = await connect(made);
      const there = other && (await new MongoClient(other.url).connect());
      try {
        const own = { ...(await filled(here, true)), processor };
        const rival = other && there && { ...(await filled(there, false)), processor: other.processor };
        const figures: Figure[] = [];
        for (const operation of operations) figures.push(await measured(operation, own, rival));
        return [...figures, rowsRead(figures[0] as Figure, fileOf(made.id))];
      } finally {
        await Promise.all([here.close(), there?.close()]);
        await other?.stop();
      }
    }),
};

async function filled(client: MongoClient, indexed: boolean): Promise<Collections> {
  const db = client.db('bench');
  const [documents, few] = [db.collection('documents'), db.collection('few')];
  await documents.createIndex({ port: 1 });
  if (indexed) {
    await documents.createIndex({ text: 'text' });
    await documents.createIndex({ place: '2dsphere' });
  }
  for (let first = 0; first < DOCUMENTS; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => example(first + index));
    await documents.insertMany(batch);
    if (first < FEW) await few.insertMany(batch);
  }
  return { documents, few };
}

type Server = Collections & { readonly processor: Processor };

async function measured(operation: Operation, here: Server, there: Server | undefined): Promise<Figure> {
  const { name, each, elsewhere } = operation;
  const own: number[] = [];
  const other: number[] = [];
  // The first round is a warm-up. The servers alternate, so that other load on the machine affects both.
  for (let round = 0; round <= ROUNDS; round++) {
    const times = [await timeOf(operation, here), elsewhere && there ? await timeOf(operation, there) : 0];
    if (round === 0) continue;
    own.push(times[0] as number);
    other.push(times[1] as number);
  }
  const baseline = { name: JAVA_SERVER, value: median(other) / each };
  return {
    name: `${name}, CPU time per document`,
    value: median(own) / each,
    unit: 'µs',
    ...(elsewhere && there ? { baseline } : {}),
  };
}

async function timeOf({ run }: Operation, server: Server): Promise<number> {
  const { micros } = await rateOf(server.processor, async () => {
    await run(server);
    return 1;
  });
  return micros;
}

/** How long SQLite alone takes to read the rows of the same collection, compared with a scan that tests one field. */
function rowsRead(scan: Figure, file: string): Figure {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const read = tables
      .map(({ name }) => `SELECT * FROM "${name}"`)
      .find((query) => db.prepare(`SELECT count(*) AS n FROM (${query})`).get()?.n === DOCUMENTS);
    if (read === undefined) throw new Error('no table has the documents');
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = process.cpuUsage();
      let bytes = 0;
      for (const row of db.prepare(read).iterate())
        for (const value of Object.values(row)) if (value instanceof Uint8Array) bytes += value.length;
      const { user, system } = process.cpuUsage(before);
      if (bytes === 0) throw new Error('the rows have no documents');
      times.push(user + system);
    }
    return {
      name: 'a scan that compares one field, CPU time per document',
      value: scan.value,
      unit: 'µs',
      baseline: { name: 'reading the rows with SQLite', value: median(times) / DOCUMENTS },
      target: atMost(1.5, 'ratio'),
    };
  } finally {
    db.close();
  }
}
