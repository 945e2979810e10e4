import type { MachineClock } from '@portolan/foundation/clock';
import type { MongoClient } from 'mongodb';
import { BUILD_MS } from '../replication/limits.ts';
import { reasonOf } from './reasons.ts';
import type { Staged } from './staging.ts';

/** This file runs long work with clients of an adopted deployment, of a staging deployment, or of both. */

interface WorkParts {
  readonly machine: MachineClock;
  readonly signal: AbortSignal;
}

/** Loads the module on first use, since it loads the MongoDB driver. */
const replication = () => import('../replication/index.ts');

/**
 * Runs `work` with a client of a staging deployment. Closes this client and the clients of the adopted
 * deployment at the end. Errors are those of `guarded`.
 */
export async function between<T>(
  adopted: readonly MongoClient[],
  { uri }: Staged,
  parts: WorkParts,
  work: (staged: MongoClient) => Promise<T>,
): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const concerns = { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } } as const;
  // The time limit is that of an index build, because this client also builds indexes.
  const staged = new MongoClient(uri, { ...concerns, socketTimeoutMS: BUILD_MS });
  const clients = [...adopted, staged];
  await using _ = await closing(clients, parts);
  return await guarded(clients, parts, () => work(staged));
}

/** Returns an object that closes clients when it is disposed. The clients also close when the signal is aborted. */
export async function closing(
  clients: readonly MongoClient[],
  { machine, signal }: WorkParts,
): Promise<AsyncDisposable> {
  const { closeAll } = await replication();
  const leave = () => closeAll(machine, clients);
  signal.addEventListener('abort', leave);
  return {
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', leave);
      await leave();
    },
  };
}

/**
 * Returns the result of `work`, which uses the clients. Rejects if a command is stuck. The message of an error names
 * the servers. An error that would recur if `work` ran again becomes a `PermanentError`.
 */
export async function guarded<T>(
  clients: readonly MongoClient[],
  { machine, signal }: WorkParts,
  work: () => Promise<T>,
): Promise<T> {
  const { lastingOr, unlessStuck } = await replication();
  try {
    signal.throwIfAborted();
    return await unlessStuck(machine, clients, work);
  } catch (error) {
    signal.throwIfAborted();
    throw lastingOr(error, reasonOf(error));
  }
}
