import {
  type ClientSession,
  type Db,
  type Document,
  type MongoClient,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import { helloOf, isRouter, membersIn, replicaSetsOf } from './deployments.ts';
import { codeOf } from './error-codes.ts';
import { sharesMember } from './names.ts';
import { PermanentError } from './permanent-error.ts';

/** The database and the name of a collection. */
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
  /**
   * The client that builds indexes at the destination. An index build can take longer than the time limit of a
   * command of `target`.
   */
  readonly builder?: MongoClient;
  readonly sourceSharded: boolean;
  readonly targetSharded: boolean;
  /** Whether one `bulkWrite` at the destination can write to several collections. */
  readonly targetTakesAll: boolean;
  /** Whether the indexes of the destination get their TTL at once. By default, they get it when the copy is complete. */
  readonly keepsTtl?: boolean;
}

/** The wire version of 8.0, which introduced `bulkWrite`. */
const BULK_WRITE = 25;

export async function endpointsOf(source: MongoClient, target: MongoClient): Promise<Endpoints> {
  const [from, to] = await Promise.all([helloOf(source), helloOf(target)]);
  // Check here, too, that source and destination are different deployments. After a restart with other settings, the
  // source may be another deployment than the one that was checked before.
  const [own, others] = [await replicaSetsOf(source, from), await replicaSetsOf(target, to)];
  if (sharesMember(membersIn(own), membersIn(others)))
    throw new PermanentError('The source and the destination are the same deployment.');
  return { source, target, sourceSharded: isRouter(from), ...propertiesOf(to) };
}

/** Returns the properties of a destination that replies `hello`. */
export function propertiesOf(hello: Document): Pick<Endpoints, 'targetSharded' | 'targetTakesAll'> {
  return { targetSharded: isRouter(hello), targetTakesAll: hello.maxWireVersion >= BULK_WRITE };
}

/** Options for reading values as they are stored: numbers keep their types, and regular expressions their text. */
export const EXACT = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
} as const;

/** Returns a database for which the driver does not convert values, so that they are copied exactly. */
export const rawDb = (client: MongoClient, name: string): Db => client.db(name, EXACT);

/** Returns the time of the source's newest operation. */
export async function latestOperationTime(endpoints: Source): Promise<Timestamp> {
  const time = await operationTimeOf(endpoints);
  if (time === undefined)
    throw new PermanentError('The source is not a replica set, so it has no operation times.');
  return time;
}

type Source = Pick<Endpoints, 'source' | 'sourceSharded'>;

/**
 * Returns the time of the source's newest operation, or undefined for servers that keep no oplog. On a sharded
 * cluster, sends `listDatabases`, which reaches all shards: a router replies to `ping` itself, with a time that may
 * precede writes through other routers.
 */
export async function operationTimeOf({ source, sourceSharded }: Source): Promise<Timestamp | undefined> {
  const command = sourceSharded ? { listDatabases: 1, nameOnly: true } : { ping: 1 };
  const { operationTime } = await source.db('admin').command(command);
  return operationTime as Timestamp | undefined;
}

/**
 * Reads data that is at least as new as an operation time. Without a time, uses no session, because servers without
 * operation times may not support sessions.
 */
export async function readAfter<T>(
  client: MongoClient,
  time: Timestamp | undefined,
  read: (session: ClientSession | undefined) => Promise<T>,
): Promise<T> {
  if (time === undefined) return read(undefined);
  const session = client.startSession({ causalConsistency: true });
  try {
    session.advanceOperationTime(time);
    return await read(session);
  } finally {
    await session.endSession();
  }
}

/** Runs a command. Ignores errors whose code is in `done`, since they mean that there is nothing to do. */
export async function runUnless(db: Db, command: Document, ...done: number[]): Promise<void> {
  try {
    await db.command(command);
  } catch (error) {
    const code = serverCodeOf(error);
    if (code === undefined || !done.includes(code)) throw error;
  }
}

/** Returns the code of an error that a server has returned; undefined for other errors. */
export function serverCodeOf(error: unknown): number | undefined {
  return error instanceof MongoServerError ? codeOf(error) : undefined;
}

export const codes = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  indexOptionsConflict: 85,
  duplicateKey: 11_000,
  alreadyInitialized: 23,
} as const;
