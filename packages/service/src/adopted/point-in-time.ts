import type { OplogMark, OplogPosition, SentSegment } from '@portolan/engine/management';
import type { ReplayRange } from './changes/index.ts';
import { between, closing, guarded } from './clients.ts';
import type { AdoptedDeployment } from './deployment.ts';
import type { SnapshotParts } from './snapshots.ts';
import type { Copied } from './staging.ts';

/** Loads these modules on first use, since they load the MongoDB driver. */
const replication = () => import('../replication/index.ts');
const archives = () => import('./changes/index.ts');

/** Yields the changes of an adopted deployment after a mark, as frames of an oplog. */
export async function* oplogFrames(
  deployment: AdoptedDeployment,
  after: OplogMark | OplogPosition | undefined,
  { machine, signal: ended }: Pick<SnapshotParts, 'machine'> & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  await deployment.reachable();
  const { archiveFrames } = await archives();
  const parts = { machine, signal: AbortSignal.any([deployment.signal, ended]) };
  const clients = [await deployment.copier('Portolan archives')] as const;
  await using _ = await closing(clients, parts);
  const frames = archiveFrames(clients[0], after, parts);
  const next = () => guarded(clients, parts, () => frames.next());
  try {
    for (let frame = await next(); !frame.done; frame = await next()) yield frame.value;
  } finally {
    await frames.return(undefined);
  }
}

/** A snapshot of an adopted deployment, and the archived changes after it. */
export interface ReplayRequest {
  readonly origin: Copied;
  /** The frames of the snapshot. */
  readonly frames: AsyncIterable<Uint8Array>;
  readonly segments: AsyncIterable<SentSegment>;
  readonly range: ReplayRange;
  readonly signal: AbortSignal;
}

/**
 * Yields the frames of a snapshot that contains the data of an adopted deployment at a point in time. Restores the
 * snapshot to a staging deployment, applies the changes there, and takes a snapshot of the result.
 */
export async function* replayedFrames(
  { origin, frames, segments, range, signal }: ReplayRequest,
  { staging, machine }: Pick<SnapshotParts, 'machine' | 'staging'>,
): AsyncGenerator<Uint8Array> {
  const [{ replayChanges }, { changesIn }] = await Promise.all([replication(), archives()]);
  await using staged = await staging.open(origin);
  await staged.restore(undefined, [], frames, signal);
  await between([], staged, { machine, signal }, (target) =>
    replayChanges(target, changesIn(segments, range), signal),
  );
  yield* staged.engine.snapshot(staged.id, []);
}
