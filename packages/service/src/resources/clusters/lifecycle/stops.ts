import type { Tx } from '../../../store/index.ts';
import type { TaskContext } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { Placement, Stopper, Stops } from '../model/cluster.ts';
import { clusterById, updateCluster } from '../rows.ts';
import type { ClusterWork } from './work.ts';

/*
 * This file stops and starts single members. The row of a cluster lists the members that must not run, with a separate
 * list for each reason. After a change of these lists, the caller enqueues a task that calls `applyStops`.
 */

/** Replaces the list of members that `by` has stopped. */
export async function setStopped(
  tx: Tx,
  clusterId: string,
  by: Stopper,
  change: (before: readonly string[]) => readonly string[],
): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === undefined) return;
  const stopped = { ...cluster.placement.stopped, [by]: change(cluster.placement.stopped?.[by] ?? []) };
  await updateCluster(tx, { ...cluster, placement: withStops(cluster.placement, stopped) });
}

/** Removes members that do not exist from the lists of stopped members, and then removes empty lists. */
export function withStops(
  { stopped: _, ...placement }: Placement,
  stops: Stops = {},
  exists = (_id: string) => true,
): Placement {
  const kept = Object.entries(stops).map(([by, ids]) => [by, ids.filter(exists)] as const);
  const wanted = kept.filter(([, ids]) => ids.length > 0);
  return wanted.length === 0 ? placement : { ...placement, stopped: Object.fromEntries(wanted) };
}

/**
 * Stops and starts members until exactly the requested ones are stopped. If a member fails to start, the others are
 * processed before the error is thrown.
 */
export async function applyStops({
  services,
  store,
  payload,
}: Pick<TaskContext<Services, ClusterWork>, 'services' | 'store' | 'payload'>): Promise<void> {
  const read = () => store.read((tx) => clusterById(tx, payload.clusterId));
  let cluster = await read();
  // A caller may change the requested stops while they are being applied. Repeat until the requested stops have not
  // changed in the meantime.
  for (let done: string | undefined; cluster !== undefined; cluster = await read()) {
    const wanted = new Set(Object.values(cluster.placement.stopped ?? {}).flat());
    const now = [...wanted].sort().join();
    if (now === done) return;
    done = now;
    const engine = services.engines.at(cluster.host);
    const deployment = await engine.describe(cluster.id);
    const stopped = new Set(deployment?.stopped);
    const failures: unknown[] = [];
    for (const { id } of deployment?.members ?? []) {
      if (wanted.has(id) === stopped.has(id)) continue;
      const change = wanted.has(id) ? engine.stopMember(cluster.id, id) : engine.startMember(cluster.id, id);
      await change.catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
