import type { Engine } from '@portolan/engine/interface/calls';
import type { MemberSample, MemberSamples } from '@portolan/engine/interface/engine';
import { Fault } from '@portolan/foundation/faults';
import { type ClusterModel, runningOn } from '../../clusters/index.ts';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';
import { scaleCluster } from '../scaling/changes.ts';
import { isScaled } from '../scaling/rules.ts';
import { addSamples, dropOld } from './changes.ts';
import { startOf } from './granularity.ts';
import { sampledRounds } from './rounds.ts';
import { lastSamples } from './rows.ts';

/** So many samples are counted together where service time stands still. */
const TOGETHER = 6;
const MINUTE_S = 60;
/** Of service time, between two looks for what has become too old. */
const DROP_MS = 600_000;

/** Of each cluster when a sample of it was counted last, as this instance knows it. */
type Counted = Map<string, Pick<MemberSample, 'time' | 'taken'>>;

/** Counts, by the machine's clock, what the members of the reachable hosts have done, once a minute. */
export function collectMeasurements(services: Services): Background {
  const counted: Counted = new Map();
  let dropped = Number.NEGATIVE_INFINITY;
  return sampledRounds(services, {
    failed: 'members could not be measured',
    at: (host) => collectFrom(services, host, counted),
    async end() {
      const now = services.clock.now().getTime();
      if (Math.abs(now - dropped) < DROP_MS) return;
      await services.store.write(dropOld);
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
    if (isScaled(cluster)) await store.write((tx) => scaleCluster(tx, cluster.id)).catch(unlessRefused);
    const newestOf = [...last.values()].reduce<MemberSample | undefined>(
      (one, other) => (one === undefined || other.taken > one.taken ? other : one),
      undefined,
    );
    if (newestOf !== undefined) counted.set(cluster.id, newestOf);
  }
}

/** Others may hold a cluster as it is for a while, and it is looked at again. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/** A minute is over, or enough samples wait: each of them counts in rows that are written anew. */
export function isDue(
  members: readonly Pick<MemberSamples, 'samples'>[],
  last: Pick<MemberSample, 'time' | 'taken'> | undefined,
): boolean {
  return members.some(({ samples }) => {
    const waiting = samples.filter(({ taken }) => last === undefined || taken > last.taken);
    const began = last ?? waiting[0];
    if (began === undefined) return false;
    const minute = startOf(began.time, MINUTE_S);
    return waiting.length >= TOGETHER || waiting.some(({ time }) => startOf(time, MINUTE_S) !== minute);
  });
}

/**
 * The newest samples by member. Where the last that was counted is not in memory any more, others may have been taken in
 * between, while no service was there to count them: all of them are read from what the engine has written down.
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
