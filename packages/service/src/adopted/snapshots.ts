import type { SnapshotEnd } from '@portolan/engine/interface/snapshot';
import { encodeFrame, framesOf } from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { between } from './clients.ts';
import type { AdoptedDeployment } from './deployment.ts';
import { spaceWatch } from './free-space.ts';
import type { RestoreArguments, Staging } from './staging.ts';

export interface SnapshotParts {
  readonly staging: Staging;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** Loads the module on first use, since it loads the MongoDB driver. */
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
  await using space = spaceWatch(parts.machine, staging.folder);
  const signal = AbortSignal.any([deployment.signal, ended, space.signal]);
  const { fill } = await replication();
  const source = await deployment.copier('Portolan snapshots');
  const time = await between([source], staged, { ...parts, signal }, (target) =>
    fill(source, target, { ...parts, signal }),
  );
  const copied =
    time === undefined
      ? ({ consistency: 'NONE' } as const)
      : ({ consistency: 'OPERATION', position: { seconds: time.t, increment: time.i } } as const);
  for await (const frame of framesOf(staged.engine.snapshot(staged.id, known)))
    yield encodeFrame(frame.kind === 'head' ? { ...frame, head: { ...frame.head, ...copied } } : frame);
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
  const { collections } = await staged.restore(key, oplogKeys, bytes, signal);
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
