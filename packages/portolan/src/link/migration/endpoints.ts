import { sharesMember } from '@portolan/service/live-migrations';
import {
  type ClientSession,
  type Db,
  type Document,
  type MongoClient,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import { EXACT, PermanentError } from '../sources/connect.ts';
import { isRouter, membersOf } from '../sources/describe.ts';

/** A collection, by database and name. */
export interface Namespace {
  readonly db: string;
  readonly coll: string;
}

export function namespaceOf(text: string): Namespace {
  const dot = text.indexOf('.');
  return { db: text.slice(0, dot), coll: text.slice(dot + 1) };
}

export const nameOf = ({ db, coll }: Namespace) => `${db}.${coll}`;

/** Source and destination of a migration. */
export interface Endpoints {
  readonly source: MongoClient;
  readonly target: MongoClient;
  readonly sourceSharded: boolean;
  readonly targetSharded: boolean;
  /** Whether the destination supports `bulkWrite` for several collections. */
  readonly targetTakesAll: boolean;
}

/** The wire version that introduced `bulkWrite`, that of 8.0. */
const BULK_WRITE = 25;

export async function endpointsOf(source: MongoClient, target: MongoClient): Promise<Endpoints> {
  const [from, to] = await Promise.all([
    source.db('admin').command({ hello: 1 }),
    target.db('admin').command({ hello: 1 }),
  ]);
  // The sources of a restarted migration host may be other deployments than those that were checked.
  if (sharesMember(await membersOf(source, from), await membersOf(target, to)))
    throw new PermanentError('The source is the destination itself.');
  return {
    source,
    target,
    sourceSharded: isRouter(from),
    targetSharded: isRouter(to),
    targetTakesAll: to.maxWireVersion >= BULK_WRITE,
  };
}

/** A database whose values are read and written without conversion. */
export const rawDb = (client: MongoClient, name: string): Db => client.db(name, EXACT);

/** The time of the newest operation of a deployment. */
export async function latestOperationTime(client: MongoClient): Promise<Timestamp> {
  const { operationTime } = await client.db('admin').command({ ping: 1 });
  return operationTime as Timestamp;
}

/** Reads at or after an operation time. */
export async function readAfter<T>(
  client: MongoClient,
  time: Timestamp,
  read: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const session = client.startSession({ causalConsistency: true });
  try {
    session.advanceOperationTime(time);
    return await read(session);
  } finally {
    await session.endSession();
  }
}

/** Runs a command. An error with one of these codes means that there is nothing to do. */
export async function runUnless(db: Db, command: Document, ...done: number[]): Promise<void> {
  try {
    await db.command(command);
  } catch (error) {
    const code = error instanceof MongoServerError ? codeOf(error) : undefined;
    if (code === undefined || !done.includes(code)) throw error;
  }
}

/** The code of an error, or of the first failed write. Without value conversion the code is an Int32. */
export function codeOf({ code }: { readonly code?: unknown }): number | undefined {
  return code === undefined ? undefined : Number(code);
}

export const codes = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  indexOptionsConflict: 85,
  duplicateKey: 11_000,
  alreadyInitialized: 23,
} as const;
