import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '@portolan/engine/interface/calls';
import { EngineUnavailable } from '@portolan/engine/management';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import { repeat } from '@portolan/foundation/repeat';
import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { NotYet, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { stateAfter } from '../model/states.ts';
import { clusterById, idleOn, updateCluster } from '../rows.ts';
import { type Applied, deploy, deployed, LOST } from './deployments.ts';
import { recordOn } from './events.ts';
import { carryOutStops } from './stops.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/**
 * Nodes that should run and do not: their port is taken, their disk full, their file damaged. The cluster is REPAIRING
 * until they are back, and what stands in the way is kept beside its row and told by an event.
 */

const REPAIR = { kind: 'cluster.repair' };
const LOOK_MS = 2_000;
const MOVED = 'its nodes have other ports';
const SILENT = 'the engine host does not answer: its process stands still';
/** One question for each cluster, at first and then in every so many looks. */
const LOST_LOOKS = 30;
/** It is tried again after a quarter of the time that has passed, within these bounds. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;

interface Repair extends ClusterWork {
  /** Service time, ISO 8601. */
  readonly since: string;
}

/** Says that a cluster has lost its nodes, and lets a task bring them back. */
export async function lose(tx: Tx, cluster: ClusterModel, reason: string): Promise<void> {
  const placement = { ...cluster.placement, problem: reason };
  await updateCluster(tx, { ...cluster, state: stateAfter(cluster, 'lost'), placement });
  await recordOn(tx, cluster, 'CLUSTER_NODES_LOST', system, { reason: withoutPaths(reason) });
  // Beside the tasks of changes: whoever changes or deletes the cluster meanwhile does not wait for it.
  await enqueueWork<Repair>(tx, REPAIR, cluster, { since: tx.now.toISOString() }, { beside: 'repair' });
}

/** Tries until the nodes are back, or somebody has changed or deleted the cluster. */
export const repairCluster: TaskKind<Repair, Services> = {
  ...REPAIR,
  steps: [
    {
      name: 'deploy',
      async run(context) {
        const { store, payload } = context;
        const before = await store.read((tx) => repairing(tx, payload.clusterId));
        if (before === undefined) return undefined;
        try {
          const applied = await deploy(context);
          // A node that was stopped, and should run again, is brought back beside those that run.
          await carryOutStops(context);
          return applied;
        } catch (error) {
          if (error instanceof NotYet) throw error;
          const reason = error instanceof Error ? error.message : String(error);
          if (reason !== before.placement.problem) {
            await store.write((tx) => keepReason(tx, payload.clusterId, reason));
          }
          throw new NotYet(
            pauseAfter(Date.parse(payload.since), context.services.clock.now().getTime()),
            reason,
          );
        }
      },
      async commit(tx, { payload }, result) {
        if (await repairing(tx, payload.clusterId)) await deployed(tx, payload.clusterId, result as Applied);
      },
    },
  ],
};

function pauseAfter(since: number, now: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (now - since) / 4));
}

async function repairing(tx: ReadTx, id: string): Promise<ClusterModel | undefined> {
  const cluster = await clusterById(tx, id);
  return cluster?.state === 'REPAIRING' ? cluster : undefined;
}

async function keepReason(tx: Tx, id: string, problem: string): Promise<void> {
  const cluster = await repairing(tx, id);
  if (cluster) await updateCluster(tx, { ...cluster, placement: { ...cluster.placement, problem } });
}

/**
 * Looks from time to time, by the machine's clock, whether the deployments of the reachable hosts run; at those of the own
 * host before anybody is told of them: in a copy of a data directory they are reached at other ports, and at the old ones
 * the clusters that it was copied from.
 */
export function watchDeployments(services: Services): Background {
  const { store, engines, machine, log } = services;
  let known: ReadonlySet<string> = new Set();
  let looks = 0;

  /** Those that their host does not know, or knows at other ports, as in a copy of a data directory. */
  async function lostOn(host: string): Promise<Array<{ id: string; message: string }>> {
    const engine = engines.at(host);
    const lost: Array<{ id: string; message: string }> = [];
    for (const { id } of await store.read((tx) => idleOn(tx, host))) {
      const deployment = await engine.describe(id);
      if (deployment === undefined) lost.push({ id, message: LOST });
      else if (deployment.state === 'running' && (await hasMoved(id, engine)))
        lost.push({ id, message: MOVED });
    }
    return lost;
  }

  /** Asked again between two looks at its row: a change may come to its end at any time. */
  async function hasMoved(id: string, engine: Engine): Promise<boolean> {
    const row = () => store.read((tx) => clusterById(tx, id));
    const before = await row();
    const deployment = await engine.describe(id);
    const after = await row();
    if (before === undefined || !isDeepStrictEqual(before, after)) return false;
    const ports = new Map(deployment?.members.map((member) => [member.id, member.port]));
    return before.placement.members.some((member) => ports.get(member.id) !== member.port);
  }

  async function lookAtOwn(): Promise<void> {
    const lost = await lostOn(engines.local);
    for (const { id, message } of lost) await notice(services, id, message);
    known = new Set(lost.map(({ id }) => id));
  }

  async function look(): Promise<void> {
    const now = new Set<string>();
    const all = looks++ % LOST_LOOKS === 0;
    for (const host of engines.reachable()) {
      const lost = all ? await lostOn(host) : [];
      for (const { id, message } of [...lost, ...(await engines.at(host).troubled())]) {
        now.add(id);
        if (!known.has(id)) await notice(services, id, message);
      }
    }
    known = now;
  }

  const onError = (error: Error) =>
    log.debug({ reason: error.message }, 'deployments could not be looked at');
  const watch = repeat({ machine, run: look, interval: LOOK_MS, onError });
  return { ready: lookAtOwn().catch(onError), stop: () => watch.stop() };
}

/**
 * Looks whether the hosts of the clusters answer. Beside the other watch, whose questions to a host that has stopped
 * meanwhile end when it goes on; so do tasks, and the repairs with them.
 */
export function watchHosts(services: Services): Background {
  const { store, engines, machine, log } = services;
  return repeat({
    machine,
    async run() {
      for (const host of engines.silent()) {
        for (const { id } of await store.read((tx) => idleOn(tx, host))) await notice(services, id, SILENT);
      }
    },
    interval: LOOK_MS,
    onError: (error) => log.debug({ reason: error.message }, 'engine hosts could not be looked at'),
  });
}

/**
 * For a task that lets nodes run again, and has an end only when they do: meanwhile the cluster says what stands in
 * the way.
 */
export async function bringBack(context: TaskContext<Services, ClusterWork>): Promise<void> {
  try {
    await carryOutStops(context);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof NotYet) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    await notice(context.services, context.payload.clusterId, reason);
    throw new NotYet(LOOK_MS, reason);
  }
}

/**
 * For a task that is over when it has tried: what it could not do is done by a repair, which tells what stands in the way
 * and keeps no change of the cluster waiting.
 */
export async function stopOrRepair(context: TaskContext<Services, ClusterWork>): Promise<void> {
  try {
    await carryOutStops(context);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof NotYet) throw error;
    const { services, payload } = context;
    await notice(services, payload.clusterId, error instanceof Error ? error.message : String(error));
    // What is being changed has no repair: it is tried again.
    if ((await services.store.read((tx) => repairing(tx, payload.clusterId))) === undefined) throw error;
  }
}

/** One that is being made or changed has a task which finds out by itself. */
async function notice({ store, log }: Services, id: string, reason: string): Promise<void> {
  const lost = await store.write(async (tx) => {
    const cluster = await clusterById(tx, id);
    if (cluster?.state !== 'IDLE' || cluster.paused) return undefined;
    await lose(tx, cluster, reason);
    return cluster;
  });
  if (lost) log.warn({ cluster: lost.name, clusterId: id, reason }, 'a cluster has lost its nodes');
}
