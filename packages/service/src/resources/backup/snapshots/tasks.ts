import { addAbortSignal } from 'node:stream';
import { NotYet, PermanentFailure, step, type TaskKind } from '../../../tasks/index.ts';
import { type ClusterModel, can, clusterById, keyProviderOf } from '../../clusters/index.ts';
import type { EngineBackups, Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { ChunkStore, hashesOf, nothingStored } from '../chunk-store/chunk-store.ts';
import { isBeingRestored } from '../model/restores/rows.ts';
import { lastCompleted, type SnapshotRow, snapshotById, snapshotsOf } from '../model/snapshots/rows.ts';
import {
  beginSnapshot,
  completeSnapshot,
  EXPIRE,
  FORGET,
  type ForgetWork,
  failSnapshot,
  forgetFiles,
  forgetSnapshot,
  originOf,
  recordAttempt,
  recordFailedAttempt,
  type SnapshotWork,
  TAKE,
  type Taken,
} from './changes.ts';
import { forgetDeleted } from './deleted/rows.ts';
import { isInUse } from './in-use.ts';

const WAIT_MS = 1000;

/** `again` is true if an earlier attempt was interrupted. */
interface Attempt extends Taken {
  readonly again: boolean;
}

/**
 * Whether a snapshot records the disk size of its cluster. The target of a restore must have at least this size.
 * Clusters on shared resources have no disk of their own.
 */
const hasOwnDisk = (cluster: ClusterModel) => !cluster.spec.tenant && can(cluster, 'ownDisks');

/** Takes a snapshot that the engine of the cluster stores. */
async function takenByEngine(
  own: EngineBackups,
  cluster: ClusterModel,
  { id }: SnapshotRow,
): Promise<Attempt> {
  const { bytes, seconds } = await own.take(cluster.id, id);
  return {
    ...{ again: false, storageBytes: bytes, position: { seconds, increment: 0 } },
    ...originOf(cluster),
    diskGB: cluster.spec.diskSizeGB,
  };
}

/** Takes a snapshot. After an interruption, the task tries again and reuses the stored chunks. */
export const takeSnapshot: TaskKind<SnapshotWork, Services> = {
  ...TAKE,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const row = await snapshotById(tx, payload.snapshotId);
        if (row?.status !== 'queued') return;
        const cluster = await clusterById(tx, row.clusterId);
        // Wait for the end of the restore. A snapshot could contain a part of the restored data.
        if (cluster && !can(cluster, 'parallelBackups') && (await isBeingRestored(tx, cluster.id)))
          throw new NotYet(WAIT_MS, 'the cluster is being restored');
        await beginSnapshot(tx, row, cluster);
      },
    },
    step({
      name: 'take',
      async run({ services, store, payload, attempt, progress, signal }): Promise<Attempt | undefined> {
        const { clusterId, snapshotId } = payload;
        const { row, cluster, last } = await store.read(async (tx) => {
          const row = await snapshotById(tx, snapshotId);
          const last = await lastCompleted(tx, clusterId);
          return { row, cluster: await clusterById(tx, clusterId), last };
        });
        if (row === undefined) return undefined;
        if (cluster === undefined) throw new PermanentFailure('the cluster was removed');
        const own = services.engines.backupsAt(cluster.host);
        if (own !== undefined) return takenByEngine(own, cluster, row);
        const again = row.facts.tried === true;
        if (!again) await store.write((tx) => recordAttempt(tx, snapshotId));
        const chunkStore = new ChunkStore(services.snapshots, clusterId);
        const stored = row.type === 'fallback' ? nothingStored : await chunkStore.stored(last);
        const frames = services.engines.at(cluster.host).snapshot(clusterId, hashesOf(stored));
        addAbortSignal(signal, frames);
        const kept = chunkStore.keep(snapshotId, frames, stored, progress).catch(async (error: Error) => {
          // If the service stops, or if another instance has taken over the task, the attempt has not failed.
          if (signal.aborted) throw signal.reason;
          if (attempt < attemptsFor(error))
            await store.write((tx) => recordFailedAttempt(tx, snapshotId, error.message));
          throw error;
        });
        const { chunks, key, position, consistency } = await kept;
        const keyProvider = keyProviderOf(cluster);
        return {
          ...(key && keyProvider && { encryption: { masterKey: key.masterKey, provider: keyProvider } }),
          again,
          storageBytes: chunks.reduce((sum, { bytes }) => sum + bytes, 0),
          ...originOf(cluster),
          ...(hasOwnDisk(cluster) ? { diskGB: cluster.spec.diskSizeGB } : {}),
          position: consistency === 'NONE' ? undefined : position,
          ...(consistency && { consistency }),
        };
      },
      async commit(tx, { payload }, taken) {
        const row = await snapshotById(tx, payload.snapshotId);
        if (row?.status !== 'inProgress' || taken === undefined) return;
        const { again, ...found } = taken;
        await completeSnapshot(tx, row, found);
        // The interrupted attempt may have left unreferenced chunks.
        if (again) await forgetFiles(tx, { ...row, id: row.clusterId });
      },
    }),
  ],
  async onFailed(tx, { payload }, _, reason) {
    const row = await snapshotById(tx, payload.snapshotId);
    if (row?.status === 'inProgress') await failSnapshot(tx, row, reason);
  },
};

/** Removes a snapshot when it expires. */
export const expireSnapshot: TaskKind<{ readonly snapshotId: string }, Services> = {
  ...EXPIRE,
  steps: [
    {
      name: 'expire',
      async commit(tx, { payload }) {
        const row = await snapshotById(tx, payload.snapshotId);
        // If the expiry has been postponed, another task removes the snapshot at its new expiry.
        if (row && row.expires <= tx.now) {
          if (await isInUse(tx, row)) throw new NotYet(WAIT_MS, 'a job reads the snapshot');
          await forgetSnapshot(tx, row);
        }
        if (row === undefined) await forgetDeleted(tx, payload.snapshotId);
      },
    },
  ],
};

/** Removes unreferenced objects of a cluster from the snapshot store. */
export const forgetSnapshots: TaskKind<ForgetWork, Services> = {
  ...FORGET,
  steps: [
    {
      name: 'remove files',
      async run({ services, store, payload }) {
        const rows = await store.read((tx) => snapshotsOf(tx, payload.clusterId));
        const kept = new Set(rows.map(({ id }) => id));
        const own = payload.host === undefined ? undefined : services.engines.backupsAt(payload.host);
        if (own !== undefined) return own.forgetAllBut(payload.clusterId, kept);
        await new ChunkStore(services.snapshots, payload.clusterId).forgetAllBut(kept);
      },
    },
  ],
};
