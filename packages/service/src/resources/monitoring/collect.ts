import type { Engine } from '@portolan/engine/interface/calls';
import type { MemberSample, MemberSamples } from '@portolan/engine/interface/engine';
import { Fault } from '@portolan/foundation/faults';
import { type ClusterModel, runningOn } from '../clusters/index.ts';
import type { Background } from '../family.ts';
import type { Services } from '../services.ts';
import { addSamples, deleteExpired } from './measured/changes.ts';
import { startOf } from './measured/granularity.ts';
import { sampledRounds } from './measured/rounds.ts';
import { lastSamples } from './measured/rows.ts';
import { scaleCluster } from './scaling/changes.ts';
import { isAutoScaled } from './scaling/rules.ts';

/**
 * Number of pending samples that are added to the measurements at once while service time is frozen. Normally, they are
 * added when a minute ends, but no minute ends then.
 */
const MAX_PENDING_SAMPLES = 6;
const MINUTE_S = 60;
/** Interval between deletions of expired rows, in service time. */
const DROP_MS = 600_000;

/** Maps each cluster to the last sample that this instance has added to the measurements. */
type Counted = Map<string, Pick<MemberSample, 'time' | 'taken'>>;

/** Collects the measurements of the members on all reachable hosts once a minute of machine time. */
export function collectMeasurements(services: Services): Background {
  const counted: Counted = new Map();
  let dropped = Number.NEGATIVE_INFINITY;
  return sampledRounds(services, {
    failed: 'collecting measurements failed',
    at: (host) => collectFrom(services, host, counted),
    async end() {
      const now = services.clock.now().getTime();
      if (Math.abs(now - dropped) < DROP_MS) return;
      await services.store.write(deleteExpired);
      dropped = now;
    },
  });
}

async function collectFrom({ store, engines }: Services, host: string, counted: Counted): Promise<void> {
  const clusters = await store.read((tx) => runningOn(tx, host));
  if (clusters.length === 0) return;
  const engine = engines.at(host);
  const newest = Map.groupBy(await engine.newestSamples(clusters.map(({ id }) => id)), ({ id }) => id);
  const due = clusters.filter(({ id }) => isDue(newest.get(id) ?? [], counted.get(id)));
  if (due.length === 0) return;
  const sizes = await engine.databaseSizes(due.map(({ id }) => id));
  for (const cluster of due) {
    const samples = await uncounted(cluster, newest.get(cluster.id) ?? [], { store, engine });
    const databases = sizes.find(({ id }) => id === cluster.id)?.databases;
    const last = await store.write((tx) => addSamples(tx, { clusterId: cluster.id, samples, databases }));
    if (isAutoScaled(cluster)) await store.write((tx) => scaleCluster(tx, cluster.id)).catch(ignoreRejection);
    const newestOf = [...last.values()].reduce<MemberSample | undefined>(
      (one, other) => (one === undefined || other.taken > one.taken ? other : one),
      undefined,
    );
    if (newestOf !== undefined) counted.set(cluster.id, newestOf);
  }
}

/**
 * Ignores a fault, because a cluster may reject changes at the moment. Scaling is tried again a minute later.
 */
function ignoreRejection(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/**
 * Whether to count samples now. This is the case if a minute has ended, or if enough samples wait. Each sample updates
 * several rows, so counting several samples together saves writes.
 */
export function isDue(
  members: readonly Pick<MemberSamples, 'samples'>[],
  last: Pick<MemberSample, 'time' | 'taken'> | undefined,
): boolean {
  return members.some(({ samples }) => {
    const waiting = samples.filter(({ taken }) => last === undefined || taken > last.taken);
    const began = last ?? waiting[0];
    if (began === undefined) return false;
    const minute = startOf(began.time, MINUTE_S);
    return (
      waiting.length >= MAX_PENDING_SAMPLES || waiting.some(({ time }) => startOf(time, MINUTE_S) !== minute)
    );
  });
}

/**
 * Returns the samples that have not been counted, by member. If the engine no longer has the last counted sample in
 * memory, it may have taken further samples while no service was running. In that case, reads all of them from the
 * files of the engine.
 */
async function uncounted(
  { id, placement }: ClusterModel,
  newest: readonly MemberSamples[],
  { store, engine }: { readonly store: Services['store']; readonly engine: Engine },
): Promise<Map<string, readonly MemberSample[]>> {
  const last = await store.read((tx) => lastSamples(tx, id));
  const all = new Map<string, readonly MemberSample[]>();
  for (const { id: memberId } of placement.members) {
    const samples = newest.find((one) => one.memberId === memberId)?.samples ?? [];
    const [oldest] = samples;
    const before = last.get(memberId);
    if (oldest === undefined) continue;
    const missed = before !== undefined && before.taken < oldest.taken;
    all.set(
      memberId,
      missed ? await engine.metrics(id, memberId, before.time, Number.MAX_SAFE_INTEGER) : samples,
    );
  }
  return all;
}
