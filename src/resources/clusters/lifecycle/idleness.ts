import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { enqueue, NotYet, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { isFree } from '../lists.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById } from '../rows.ts';
import { changeCluster, recordOn, taskOf } from './changes.ts';

/** A free cluster to which nobody has connected for so long pauses by itself, by service time. */
const MOST_DAYS = 30;
/** How often it is looked at: log-ins of the last seven days are known. */
const LOOK_DAYS = 5;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/**
 * Members are sampled every ten seconds of machine time, and what a sample tells may be as old again. Two within the
 * hour: the second one tells nothing from before a jump of service time.
 */
const SAMPLES = 2;
const WAIT_MS = 2_000;

const LOOK = { kind: 'cluster.idle' };

/** `used`: when somebody was last connected, ISO 8601. */
interface Payload {
  readonly clusterId: string;
  readonly used: string;
}

/** Lets tasks look from time to time whether anybody uses a cluster; one that is not free they leave alone. */
export async function watchIdleness(tx: Tx, cluster: ClusterModel, used = tx.now): Promise<void> {
  if (!isFree(cluster.spec)) return;
  const runAt = new Date(
    Math.min(used.getTime() + MOST_DAYS * DAY_MS, tx.now.getTime() + LOOK_DAYS * DAY_MS),
  );
  const payload: Payload = { clusterId: cluster.id, used: used.toISOString() };
  const { key, host } = taskOf(cluster);
  await enqueue(tx, LOOK, { key: `${key}:idle:${tx.now.getTime()}`, payload, runAt, host });
}

export const pauseIdleCluster: TaskKind<Payload, Services> = {
  ...LOOK,
  steps: [
    {
      name: 'look',
      async run({ services, store, payload }) {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (!cluster || !isWatched(cluster)) return undefined;
        return (await lastUse(cluster, services, new Date(payload.used))).toISOString();
      },
      async commit(tx, { payload }, result) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || !isWatched(cluster)) return;
        const used = new Date(typeof result === 'string' ? result : payload.used);
        const idle = tx.now.getTime() - used.getTime() >= MOST_DAYS * DAY_MS;
        if (!idle) return watchIdleness(tx, cluster, used);
        await changeCluster(tx, cluster, { paused: true }, system);
        await recordOn(tx, cluster, 'CLUSTER_AUTOMATICALLY_PAUSED', system);
      },
    },
  ],
};

/** A resumption begins anew. */
function isWatched({ paused, spec, state }: ClusterModel): boolean {
  return !paused && isFree(spec) && state !== 'DELETING';
}

/** Throws `NotYet` while it cannot be told: nothing is paused under somebody's hands. */
async function lastUse(cluster: ClusterModel, services: Services, used: Date): Promise<Date> {
  const { id, host, placement, state } = cluster;
  if (state !== 'IDLE') throw new NotYet(WAIT_MS, `the cluster is ${state}`);
  const engine = services.engines.at(host);
  const now = services.clock.now();
  for (const member of placement.members) {
    const samples = await engine.metrics(id, member.id, now.getTime() - HOUR_MS, now.getTime());
    if (samples.length < SAMPLES) throw new NotYet(WAIT_MS, 'its members were not sampled yet');
    if ((samples.at(-1)?.connections.current ?? 0) > 0) return now;
  }
  const [login] = await engine.accessHistory(id, { from: used.getTime(), success: true, limit: 1 });
  return login ? new Date(Math.max(login.time, used.getTime())) : used;
}
