import { withoutPaths } from '@portolan/foundation/paths-in-text';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { ChunkStore } from '../chunk-store/chunk-store.ts';
import { snapshotById } from '../model/snapshots/rows.ts';
import {
  COPY,
  type CopyWork,
  FORGET_COPIES,
  type ForgetCopiesWork,
  forgetCopiesIn,
  recordCopy,
} from './changes.ts';
import { copiesIn, copyOf, forgetRegion, setCopyStatus } from './rows.ts';
import { chunkStoreIn } from './sources.ts';

/** Copies a snapshot to a region. A resumed copy skips the chunks that the region already has. */
export const copySnapshot: TaskKind<CopyWork, Services> = {
  ...COPY,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const copy = await copyOf(tx, payload.snapshotId, payload.region);
        const row = await snapshotById(tx, payload.snapshotId);
        if (row === undefined || copy?.status !== 'queued') return;
        await setCopyStatus(tx, copy, 'inProgress');
        await recordCopy(tx, 'STARTED', row);
      },
    },
    {
      name: 'copy',
      async run({ services, store, payload, attempt, progress }) {
        const { clusterId, snapshotId, region } = payload;
        // Stop if the snapshot or the copy was removed in the meantime.
        if (!(await store.read((tx) => copyOf(tx, snapshotId, region)))) return;
        try {
          const original = new ChunkStore(services.snapshots, clusterId);
          await chunkStoreIn(services, region, clusterId).copy(snapshotId, original, progress);
        } catch (error) {
          if (error instanceof Error && attempt < attemptsFor(error))
            await store.write(async (tx) => {
              const row = await snapshotById(tx, snapshotId);
              if (row) await recordCopy(tx, 'FAILED_WILL_RETRY', row, withoutPaths(error.message));
            });
          throw error;
        }
      },
      async commit(tx, { payload }) {
        const copy = await copyOf(tx, payload.snapshotId, payload.region);
        const row = await snapshotById(tx, payload.snapshotId);
        if (row === undefined || copy?.status !== 'inProgress') return;
        await setCopyStatus(tx, copy, 'completed');
        await recordCopy(tx, 'SUCCESSFUL', row);
      },
    },
  ],
  async onFailed(tx, { payload }, _, reason) {
    const copy = await copyOf(tx, payload.snapshotId, payload.region);
    const row = await snapshotById(tx, payload.snapshotId);
    if (row === undefined || copy?.status !== 'inProgress') return;
    await setCopyStatus(tx, copy, 'failed');
    await recordCopy(tx, 'FAILED', row, reason);
    await forgetCopiesIn(tx, { ...row, id: row.clusterId }, copy.region);
  },
};

/** Removes unreferenced objects of a cluster from a region, including those of failed copies. */
export const forgetCopies: TaskKind<ForgetCopiesWork, Services> = {
  ...FORGET_COPIES,
  steps: [
    {
      name: 'remove files',
      async run({ services, store, payload: { clusterId, region } }) {
        const copies = await store.read((tx) => copiesIn(tx, clusterId, region));
        const kept = copies.filter(({ status }) => status !== 'failed');
        const chunkStore = chunkStoreIn(services, region, clusterId);
        await chunkStore.forgetAllBut(new Set(kept.map(({ snapshotId }) => snapshotId)));
      },
      async commit(tx, { payload: { clusterId, region } }) {
        const copies = await copiesIn(tx, clusterId, region);
        if (copies.length === 0) await forgetRegion(tx, clusterId, region);
      },
    },
  ],
};
