import type { MachineClock } from '@portolan/foundation/clock';
import {
  MAX_PROBLEM_LENGTH,
  type SourceOrder,
  type Survey,
  type Surveyed,
} from '@portolan/service/live-migrations';
import {
  closeAll,
  databasesOf,
  ListReader,
  PermanentError,
  unlessStuck,
} from '@portolan/service/replication';
import type { MongoClient } from 'mongodb';
import { sourceClient } from './connect.ts';
import { bytesOf, identify, oplogOf } from './describe.ts';

const SELECTION_MS = 15_000;
/** An oplog that is this full discards its oldest entries. */
const FULL = 0.9;

/** Checks whether a source can be read, and measures the data to copy. Never rejects. */
export async function surveySource(
  id: string,
  uri: string | undefined,
  order: SourceOrder,
  machine: MachineClock,
): Promise<Surveyed> {
  if (uri === undefined) return { id, problem: `The migration host has no deployment ${order.deployment}.` };
  const clients: MongoClient[] = [];
  try {
    const client = sourceClient(uri, order, { serverSelectionTimeoutMS: SELECTION_MS });
    clients.push(client);
    return { id, survey: await unlessStuck(machine, clients, () => look(client)) };
  } catch (error) {
    return { id, problem: problemOf(error) };
  } finally {
    await closeAll(machine, clients);
  }
}

async function look(client: MongoClient): Promise<Survey> {
  const { version, featureCompatibilityVersion, sharded, members } = await identify(client);
  const namespaces: string[] = [];
  const lists = new ListReader();
  for (const database of await databasesOf(client)) {
    // Skip time series, which are not copied.
    const found = await lists.all(
      'collections',
      client.db(database).listCollections({ type: { $ne: 'timeseries' } }, { nameOnly: true }),
    );
    const names = found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    namespaces.push(...names.map((name) => `${database}.${name}`));
  }
  await readSome(client, namespaces[0]);
  const stream = client.watch([], { showExpandedEvents: true, maxAwaitTimeMS: 1 });
  await stream.tryNext().finally(() => stream.close());
  const oplogHours = sharded ? undefined : await oplogWindow(client);
  return {
    version,
    featureCompatibilityVersion,
    sharded,
    members: [...members],
    bytes: await bytesOf(client),
    namespaces,
    ...(oplogHours === undefined ? {} : { oplogHours }),
  };
}

async function readSome(client: MongoClient, namespace: string | undefined): Promise<void> {
  if (namespace === undefined) return;
  const dot = namespace.indexOf('.');
  await client
    .db(namespace.slice(0, dot))
    .collection(namespace.slice(dot + 1))
    .findOne({});
}

async function oplogWindow(client: MongoClient): Promise<number | undefined> {
  const oplog = await oplogOf(client);
  if (oplog === undefined || !(oplog.size >= oplog.max * FULL)) return undefined;
  const entries = client.db('local').collection<{ ts: { t: number } }>('oplog.rs');
  const [first] = await entries.find().sort({ $natural: 1 }).limit(1).toArray();
  const [last] = await entries.find().sort({ $natural: -1 }).limit(1).toArray();
  return first && last ? (last.ts.t - first.ts.t) / 3600 : undefined;
}

/** Explanations by error code of the server. */
const meanings: Readonly<Record<number, string>> = {
  13: 'The user may not read all data of the source or open change streams',
  18: 'The source rejects the user name or password',
  8000: 'The source rejects the user name or password',
};

/** Describes an error of the driver in a sentence for the user. The server's own messages could contain documents. */
export function problemOf(thrown: unknown): string {
  return cropped(sentenceOf(thrown));
}

/** Truncates a problem to the maximum length in a report. */
export function cropped(problem: string): string {
  return problem.slice(0, MAX_PROBLEM_LENGTH).toWellFormed();
}

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof PermanentError) return thrown.message;
  const { code, message: told } = thrown as { readonly code?: unknown; readonly message: string };
  const message = told.replace(/\.$/, '');
  const meaning = typeof code === 'number' ? meanings[code] : undefined;
  if (meaning !== undefined) return `${meaning}: ${message}.`;
  const causes = `${message} ${String((thrown as Error).cause ?? '')}`;
  if (/ENOTFOUND|EAI_AGAIN/.test(causes))
    return `The host name of the source cannot be resolved: ${message}.`;
  if (/certificate|SSL|TLS|self-signed|self signed/i.test(causes))
    return `The TLS options do not match the source: ${message}.`;
  return `The source cannot be reached: ${message}.`;
}
