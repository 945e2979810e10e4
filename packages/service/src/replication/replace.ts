import { BSON, type Document, type MongoClient } from 'mongodb';
import { Checkpoint } from './checkpoint.ts';
import { databasesOf } from './deployments.ts';
import { type Endpoints, endpointsOf, namespaceOf, rawDb } from './endpoints.ts';
import { ATTEMPT, type CopyParts, copyStill } from './fill.ts';
import { CHECKPOINTS } from './names.ts';
import { PermanentError } from './permanent-error.ts';
import { beginExpiry, listCopies } from './structure.ts';

const ID = 'replace';

/** The clients of the destination. `builder` builds indexes, so its commands may take long. */
type Destination = Required<Pick<Endpoints, 'builder' | 'target'>>;

/**
 * Replaces the databases of the destination by the databases of the source with the same names. Then compares the
 * result with the source, which must not change in between. Other databases, users and roles of the destination remain.
 * If the replacement fails, the databases may be incomplete.
 * Several runs can exist, if one was suspended and a newer run has replaced it. The older run then stops before it
 * drops anything that the newer run has written.
 */
export async function replaceDatabases(
  source: MongoClient,
  { target, builder }: Destination,
  parts: CopyParts,
): Promise<void> {
  const { signal, random } = parts;
  await refuseTimeSeries(source);
  const endpoints = { ...(await endpointsOf(source, target)), builder };
  const checkpoint = new Checkpoint(target, ID, random.uuid());
  const dropOwn = async (name: string) => {
    signal.throwIfAborted();
    await checkpoint.assertOwned();
    await target.db(name).dropDatabase();
  };
  const databases = await databasesOf(source);
  signal.throwIfAborted();
  await checkpoint.take(ATTEMPT);
  try {
    for (const name of databases) await dropOwn(name);
    await copyStill({ endpoints, checkpoint, parts });
    await requireEqual(endpoints, signal);
    await checkpoint.assertOwned();
    await beginExpiry(endpoints);
  } finally {
    // Ignore an error here, because the next attempt drops this database, too.
    await dropOwn(CHECKPOINTS).catch(() => {});
  }
}

/** Throws if the source has a time series collection, because the copy would omit it. */
async function refuseTimeSeries(source: MongoClient): Promise<void> {
  for (const db of await databasesOf(source)) {
    const [found] = await source.db(db).listCollections({ type: 'timeseries' }, { nameOnly: true }).toArray();
    if (found !== undefined)
      throw new PermanentError(`time series such as ${db}.${found.name} cannot be copied`);
  }
}

/** Throws unless all collections of both ends have the same documents. */
async function requireEqual(endpoints: Endpoints, signal: AbortSignal): Promise<void> {
  for (const { _id, isView, options } of await listCopies(endpoints)) {
    if (isView) continue;
    const read = (client: MongoClient) => documentsOf(client, _id, options.capped === true);
    const [own, copied] = [read(endpoints.source), read(endpoints.target)];
    try {
      await compare(_id, own, copied, signal);
    } finally {
      await Promise.all([own.return(undefined), copied.return(undefined)]);
    }
  }
}

async function* documentsOf(client: MongoClient, name: string, isCapped: boolean): AsyncGenerator<Document> {
  const { db, coll } = namespaceOf(name);
  const found = rawDb(client, db).collection(coll).find();
  yield* isCapped ? found.sort({ $natural: 1 }) : found.hint({ _id: 1 }).sort({ _id: 1 });
}

async function compare(
  name: string,
  own: AsyncGenerator<Document>,
  copied: AsyncGenerator<Document>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const [one, other] = await Promise.all([own.next(), copied.next()]);
    if (one.done && other.done) return;
    if (one.done || other.done || !isSame(one.value, other.value))
      throw new Error(
        `the collection ${name} differs from its source, because another client is writing to it`,
      );
  }
}

const isSame = (one: Document, other: Document) =>
  Buffer.compare(BSON.serialize(one), BSON.serialize(other)) === 0;
