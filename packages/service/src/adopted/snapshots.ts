import type { SnapshotEnd } from '@portolan/engine/interface/snapshot';
import { type Engine, encodeFrame, framesOf } from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { MongoClient } from 'mongodb';
import type { AdoptedDeployment } from './deployment.ts';
import type { Staged, Staging } from './staging.ts';

export interface SnapshotParts {
  readonly staging: Staging;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** Loaded on first use, since it loads the driver. */
const replication = () => import('../replication/index.ts');

/**
 * Yields the frames of a snapshot of an adopted deployment. Copies its databases to a staging deployment of the
 * embedded engine, takes a snapshot of the staging deployment, and removes the staging deployment at the end.
 */
export async function* snapshotFrames(
  deployment: AdoptedDeployment,
  known: readonly string[],
  { staging, ...parts }: SnapshotParts,
): AsyncGenerator<Uint8Array> {
  const { found } = await deployment.reachable();
  await using staged = await staging.open(found);
  const { signal } = deployment;
  const { fill } = await replication();
  const time = await between(await deployment.copier(), staged, signal, (source, target) =>
    fill(source, target, { ...parts, signal }),
  );
  const consistency = time === undefined ? 'NONE' : 'OPERATION';
  for await (const frame of framesOf(staged.engine.snapshot(staged.id, known)))
    yield encodeFrame(frame.kind === 'head' ? { ...frame, head: { ...frame.head, consistency } } : frame);
}

/**
 * Restores a snapshot to a staging deployment, which verifies it, and replaces the databases of the adopted deployment
 * by those of the snapshot. Returns the collections that were replaced.
 */
export async function restoreSnapshot(
  deployment: AdoptedDeployment,
  [key, oplogKeys, bytes]: RestoreArguments,
  { staging, ...parts }: SnapshotParts,
): Promise<SnapshotEnd> {
  const { found } = await deployment.reachable();
  await using staged = await staging.open(found);
  const { collections } = await staged.engine.restore(staged.id, key, oplogKeys, bytes);
  const { signal } = deployment;
  const { isCopied, replaceDatabases } = await replication();
  await between(await deployment.writer(), staged, signal, (target, source) =>
    replaceDatabases(source, target, { ...parts, signal }),
  );
  return {
    collections: collections.filter(
      ({ database, name }) => isCopied(database) && !name.startsWith('system.'),
    ),
  };
}

type RestoreArguments = Parameters<Engine['restore']> extends [string, ...infer Rest] ? Rest : never;

/** Runs `work` with the client of an adopted deployment and one of a staging deployment, and closes both. */
async function between<T>(
  adopted: MongoClient,
  { uri }: Staged,
  signal: AbortSignal,
  work: (adopted: MongoClient, staged: MongoClient) => Promise<T>,
): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const concerns = { readConcern: { level: 'majority' }, writeConcern: { w: 'majority' } } as const;
  const staged = new MongoClient(uri, concerns);
  const leave = () => Promise.allSettled([adopted.close(), staged.close()]);
  signal.addEventListener('abort', leave);
  try {
    signal.throwIfAborted();
    return await work(adopted, staged);
  } finally {
    signal.removeEventListener('abort', leave);
    await leave();
  }
}
