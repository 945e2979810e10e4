import { subscribe, type Tx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import {
  type ClusterModel,
  type ClusterWork,
  clusterById,
  clusterChanging,
  enqueueWork,
} from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { scheduleSnapshot } from '../snapshots/changes.ts';
import { intervalOf, nextDue, occurrences } from './rhythm.ts';

/** `interval` says which rhythm it follows: where the cluster has become another kind, another task follows that. */
interface RhythmWork extends ClusterWork {
  readonly due: string;
  readonly interval: number;
}

const FOLLOW_RHYTHM = { kind: 'backup.rhythm' };

/** Lets a task take the next one when it is due. */
async function awaitNext(tx: Tx, cluster: ClusterModel): Promise<void> {
  const due = nextDue(cluster, tx.now);
  const interval = intervalOf(cluster);
  if (due === undefined || interval === undefined) return;
  await enqueueWork<RhythmWork>(
    tx,
    FOLLOW_RHYTHM,
    cluster,
    { due: due.toISOString(), interval },
    { beside: `rhythm:${due.getTime()}`, runAt: due, anywhere: true },
  );
}

/** Queues what is due of a flex cluster or a serverless instance, and waits for the next. */
export const followRhythm: TaskKind<RhythmWork, Services> = {
  ...FOLLOW_RHYTHM,
  steps: [
    {
      name: 'queue',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || cluster.state === 'DELETING' || intervalOf(cluster) !== payload.interval) return;
        for (const { due, frequency, days } of occurrences(cluster, new Date(payload.due), tx.now)) {
          // Each has one item, which nobody can change: the rhythm itself.
          await scheduleSnapshot(tx, cluster, { due, items: [{ id: cluster.id, frequency, days }] });
        }
        await awaitNext(tx, cluster);
      },
    },
  ],
};

/** The rhythm begins with the cluster, or when it becomes one that has another. */
export const beginRhythm = subscribe(clusterChanging, async (tx, change) => {
  const begins = change.kind === 'create';
  const turns = change.kind === 'update' && intervalOf(change.before) !== intervalOf(change.cluster);
  if (begins || turns) await awaitNext(tx, change.cluster);
});
