import { system } from '../../../events/index.ts';
import { NotYet, step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { type ClusterModel, isFree } from '../model/cluster.ts';
import { clusterById } from '../rows.ts';
import { changeCluster } from './changes.ts';
import { CHECK_IDLENESS, type IdlenessCheck, MAX_IDLE_MS, scheduleIdlenessCheck } from './dated-work.ts';
import { recordOn } from './events.ts';

const HOUR_MS = 3_600_000;
/**
 * How many samples of each member must be from the last hour of service time. One sample is not enough, since its
 * counts can be ten seconds old. The first sample after a jump of service time may therefore show connections from
 * before the jump.
 */
const SAMPLES = 2;
const WAIT_MS = 2_000;

/** Pauses an unused free cluster, or schedules the next check if it was used. */
export const pauseIdleCluster: TaskKind<IdlenessCheck, Services> = {
  ...CHECK_IDLENESS,
  steps: [
    step({
      name: 'look',
      async run({ services, store, payload }) {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (!cluster || !isWatched(cluster)) return undefined;
        return (await lastUse(cluster, services, new Date(payload.used))).toISOString();
      },
      async commit(tx, { payload }, lastUsed) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || !isWatched(cluster)) return;
        const used = new Date(lastUsed ?? payload.used);
        const idle = tx.now.getTime() - used.getTime() >= MAX_IDLE_MS;
        if (!idle) return scheduleIdlenessCheck(tx, cluster, used);
        await changeCluster(tx, cluster, { paused: true }, system);
        await recordOn(tx, cluster, 'CLUSTER_AUTOMATICALLY_PAUSED', system);
      },
    }),
  ],
};

/** Whether the cluster is checked for idleness. For a paused cluster, the resumption enqueues the next check. */
function isWatched({ paused, spec, state }: ClusterModel): boolean {
  return !paused && isFree(spec) && state !== 'DELETING';
}

/** Returns the time of the last use. Throws `NotYet` while the time is unknown, since the cluster may be in use. */
async function lastUse(cluster: ClusterModel, services: Services, used: Date): Promise<Date> {
  const { id, host, placement, state } = cluster;
  if (state !== 'IDLE') throw new NotYet(WAIT_MS, `the cluster is ${state}`);
  const engine = services.engines.at(host);
  const now = services.clock.now();
  const newest = await engine.newestSamples([id]);
  for (const member of placement.members) {
    const ofMember = newest.find(({ memberId }) => memberId === member.id)?.samples ?? [];
    const samples = ofMember.filter(({ time }) => time >= now.getTime() - HOUR_MS && time <= now.getTime());
    if (samples.length < SAMPLES) throw new NotYet(WAIT_MS, 'its members have not been sampled yet');
    if ((samples.at(-1)?.connections.current ?? 0) > 0) return now;
  }
  const [login] = await engine.accessHistory(id, { from: used.getTime(), success: true, limit: 1 });
  return login ? new Date(Math.max(login.time, used.getTime())) : used;
}
