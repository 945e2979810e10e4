import { PermanentFailure, type TaskKind } from '../../../tasks/index.ts';
import { clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { awaitArchives, bringBack } from '../continuous/replayed.ts';
import { Sources } from '../copies/sources.ts';
import { oplogCopiesOf } from '../oplog-copies/rows.ts';
import { attemptsFor } from '../vault/attempts.ts';
import { beginRestore, comparedWith, endRestore, RESTORE, type RestoreWork } from './changes.ts';
import { type Compared, restoreById } from './rows.ts';

/**
 * Puts a snapshot, or what a cluster was at a moment, into the place of a cluster's data. The engine proves that it holds what was taken before it touches
 * the cluster, so that a job that fails, or is cut off and run again, leaves the old data or the new.
 */
export const restoreSnapshot: TaskKind<RestoreWork, Services> = {
  ...RESTORE,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const job = await restoreById(tx, payload.restoreId);
        if (job && job.finished === undefined) await beginRestore(tx, job);
      },
    },
    {
      name: 'archive',
      async run({ store, payload }) {
        const job = await store.read((tx) => restoreById(tx, payload.restoreId));
        if (job && job.finished === undefined) await awaitArchives(store, job);
      },
    },
    {
      name: 'restore',
      async run({ services, store, payload }): Promise<Compared> {
        const { job, target, sources } = await store.read(async (tx) => {
          const job = await restoreById(tx, payload.restoreId);
          const snapshot = job && { id: job.facts.snapshotId, clusterId: job.clusterId };
          const copies = job?.facts.pointInTime ? await oplogCopiesOf(tx, job.clusterId) : [];
          const regions = copies.map(({ region }) => region);
          const sources = snapshot && (await Sources.of(tx, services, snapshot, regions));
          return { job, target: await clusterById(tx, payload.clusterId), sources };
        });
        if (job === undefined || sources === undefined || target === undefined || target.state === 'DELETING')
          throw new PermanentFailure('the cluster is gone');
        const engine = services.engines.at(target.host);
        const { collections } = await sources.read((_, place) =>
          bringBack(services, store, job, { engine, place }),
        );
        return comparedWith(collections);
      },
      async commit(tx, { payload }, compared) {
        const job = await restoreById(tx, payload.restoreId);
        if (job && job.finished === undefined) await endRestore(tx, job, compared as Compared);
      },
    },
  ],
  async onFailed(tx, { payload }, _, problem) {
    const job = await restoreById(tx, payload.restoreId);
    if (job && job.finished === undefined) await endRestore(tx, job, { problem });
  },
};
