import { NotYet, PermanentFailure, step, type TaskKind } from '../../../tasks/index.ts';
import { clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { awaitArchives, restoreAndReplay } from '../continuous/replayed.ts';
import { Sources } from '../copies/sources.ts';
import { type Compared, comparedWith } from '../model/compared.ts';
import { restoreById } from '../model/restores/rows.ts';
import { oplogCopiesOf } from '../oplog-copies/rows.ts';
import { beginRestore, endRestore, RESTORE, type RestoreWork } from './changes.ts';
import { isBeingCopied } from './rules.ts';

const WAIT_MS = 1000;

/**
 * Replaces the data of a cluster by the data of a snapshot or of a point in time. The embedded engine
 * verifies everything before it changes the cluster, so after a failure or interruption, the cluster has
 * either the old or the new data. After a failure, a cluster outside Portolan may have incomplete databases.
 */
export const restoreSnapshot: TaskKind<RestoreWork, Services> = {
  ...RESTORE,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const job = await restoreById(tx, payload.restoreId);
        if (job === undefined || job.finished !== undefined) return;
        const target = await clusterById(tx, job.targetId);
        // Wait for the end of a snapshot that began after the request, because it could contain a part of the restored
        // data. Do not wait if the cluster is to be removed; the next step then ends the restore.
        if (target && target.state !== 'DELETING' && (await isBeingCopied(tx, target)))
          throw new NotYet(WAIT_MS, 'a snapshot of the cluster is being taken');
        await beginRestore(tx, job);
      },
    },
    {
      name: 'archive',
      async run({ services, store, payload }) {
        const { job, target } = await store.read(async (tx) => ({
          job: await restoreById(tx, payload.restoreId),
          target: await clusterById(tx, payload.clusterId),
        }));
        // The engine waits for archives that it stores itself.
        if (target !== undefined && services.engines.backupsAt(target.host) !== undefined) return;
        if (job && job.finished === undefined) await awaitArchives(store, services.clock, job);
      },
    },
    step({
      name: 'restore',
      async run({ services, store, payload, progress, signal }): Promise<Compared | undefined> {
        const { job, target, sources } = await store.read(async (tx) => {
          const job = await restoreById(tx, payload.restoreId);
          const snapshot = job && { id: job.snapshotId, clusterId: job.clusterId };
          const copies = job?.pointInTime ? await oplogCopiesOf(tx, job.clusterId) : [];
          const regions = copies.map(({ region }) => region);
          const sources = snapshot && (await Sources.of(tx, services, snapshot, regions));
          return { job, target: await clusterById(tx, payload.clusterId), sources };
        });
        if (job === undefined || sources === undefined || target === undefined || target.state === 'DELETING')
          throw new PermanentFailure('the cluster was removed');
        const own = services.engines.backupsAt(target.host);
        if (own !== undefined) {
          const { id: restoreId, snapshotId, pointInTime } = job;
          await own.restore({ restoreId, snapshotId, clusterId: target.id, until: pointInTime?.seconds });
          return undefined;
        }
        const engine = services.engines.at(target.host);
        const { collections } = await sources.read((_, place) => {
          signal.throwIfAborted();
          return restoreAndReplay(services, store, job, { engine, place, progress, signal });
        });
        return comparedWith(collections);
      },
      async commit(tx, { payload }, compared) {
        const job = await restoreById(tx, payload.restoreId);
        if (job && job.finished === undefined) await endRestore(tx, job, compared);
      },
    }),
  ],
  async onFailed(tx, { payload }, _, problem) {
    const job = await restoreById(tx, payload.restoreId);
    if (job && job.finished === undefined) await endRestore(tx, job, { problem });
  },
};
