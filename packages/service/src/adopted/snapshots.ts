import type { SnapshotEnd } from '@portolan/engine/interface/snapshot';
import { type Engine, encodeFrame, framesOf } from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { MongoClient } from 'mongodb';
import { BUILD_MS } from '../replication/limits.ts';
import type { AdoptedDeployment } from './deployment.ts';
import { reasonOf } from './reasons.ts';
import type { Staged, Staging } from './staging.ts';

export interface SnapshotParts {
  readonly staging: Staging;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** Loaded on first use, since this module loads the MongoDB driver. */
const replication = () => import('../replication/index.ts');

/**
 * Yields the frames of a snapshot of an adopted deployment. First copies the databases to a staging deployment of the
 * embedded engine. Then takes a snapshot of the staging deployment, and removes the staging deployment at the end.
 */
export async function* snapshotFrames(
  deployment: AdoptedDeployment,
  known: readonly string[],
  { staging, signal: ended, ...parts }: SnapshotParts & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const { found } = await deployment.reachable();
  await using staged = await staging.open(found);
  const signal = AbortSignal.any([deployment.signal, ended]);
  const { fill } = await replication();
  const source = await deployment.copier();
  const time = await between([source], staged, { ...parts, signal }, (target) =>
    fill(source, target, { ...parts, signal }),
  );
  const consistency = time === undefined ? 'NONE' : 'OPERATION';
  for await (const frame of framesOf(staged.engine.snapshot(staged.id, known)))
    yield encodeFrame(frame.kind === 'head' ? { ...frame, head: { ...frame.head, consistency } } : frame);
}

/**
 * Restores a snapshot to a staging deployment, which verifies the snapshot. Then replaces the databases of the
 * adopted deployment by the databases of the snapshot. Returns the collections that were replaced.
 */
export async function restoreSnapshot(
  deployment: AdoptedDeployment,
  [key, oplogKeys, bytes, ended]: RestoreArguments,
  { staging, ...parts }: SnapshotParts,
): Promise<SnapshotEnd> {
  const { found } = await deployment.reachable();
  await using staged = await staging.open(found);
  const signal = AbortSignal.any([deployment.signal, ...(ended === undefined ? [] : [ended])]);
  const { collections } = await staged.engine.restore(staged.id, key, oplogKeys, bytes, signal);
  const { isCopied, replaceDatabases } = await replication();
  const writers = await deployment.writers();
  await between(Object.values(writers), staged, { ...parts, signal }, (source) =>
    replaceDatabases(source, writers, { ...parts, signal }),
  );
  return {
    collections: collections.filter(
      ({ database, name }) => isCopied(database) && !name.startsWith('system.'),
    ),
  };
}

type RestoreArguments = Parameters<Engine['restore']> extends [string, ...infer Rest] ? Rest : never;

/**
 * Runs `work` with a client of a staging deployment. Closes this client and the clients of the adopted
 * deployment at the end. The message of an error names the servers. An error that would recur if `work` ran
 * again becomes a `PermanentError`.
 */
async function between<T>(
  adopted: readonly MongoClient[],
  { uri }: Staged,
  { machine, signal }: { readonly machine: MachineClock; readonly signal: AbortSignal },
  work: (staged: MongoClient) => Promise<T>,
): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const { closeAll, lastingOr, unlessStuck } = await replication();
  const concerns = { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } } as const;
  // The time limit is that of an index build, because this client also builds indexes.
  const staged = new MongoClient(uri, { ...concerns, socketTimeoutMS: BUILD_MS });
  const clients = [...adopted, staged];
  const leave = () => closeAll(machine, clients);
  signal.addEventListener('abort', leave);
  try {
    signal.throwIfAborted();
    return await unlessStuck(machine, clients, () => work(staged));
  } catch (error) {
    signal.throwIfAborted();
    throw lastingOr(error, reasonOf(error));
  } finally {
    signal.removeEventListener('abort', leave);
    await leave();
  }
}
