import { isDeepStrictEqual } from 'node:util';
import type { Engine } from '@portolan/engine/interface/calls';
import { EngineUnavailable } from '@portolan/engine/management';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import { repeat } from '@portolan/foundation/repeat';
import { errorMessage } from '@portolan/foundation/thrown';
import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { NotYet, step, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import type { Background } from '../../family.ts';
import type { Services } from '../../services.ts';
import { can } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { stateAfter } from '../model/states.ts';
import { clusterById, idleOn, updateCluster } from '../rows.ts';
import { deploy, deployed, LOST } from './deployments.ts';
import { recordOn } from './events.ts';
import { applyStops } from './stops.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/**
 * This file repairs nodes that are down, for example because of a port in use, a full disk or a damaged file.
 * The cluster is REPAIRING until the nodes run again. Its row contains the problem, and an event reports it.
 */

const REPAIR = { kind: 'cluster.repair' };
const CHECK_MS = 2_000;
const MOVED = 'the nodes of the cluster have other ports than before';
const SILENT = 'the engine host does not respond: its process hangs';
/**
 * The first check and every 30th check after it also search for deployments that the host has lost. This search takes
 * one call per cluster.
 */
const CHECKS_PER_FULL_CHECK = 30;
/**
 * After this many checks, a problem that persists is reported again. The first report has no effect on a cluster that
 * is being changed at the time. A report at each check would cause too many events if a repair succeeds although the
 * problem persists.
 */
const CHECKS_PER_REPORT = 5;
/** A retry is delayed by a quarter of the time since the problem began, within these bounds. */
const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;

interface Repair extends ClusterWork {
  /** When the problem began: service time, ISO 8601. */
  readonly since: string;
}

/** Sets a cluster to REPAIRING and enqueues the repair. */
export async function markLost(tx: Tx, cluster: ClusterModel, reason: string): Promise<void> {
  const placement = { ...cluster.placement, problem: reason };
  await updateCluster(tx, { ...cluster, state: stateAfter(cluster, 'lost'), placement });
  await recordOn(tx, cluster, 'CLUSTER_NODES_LOST', system, { reason: withoutPaths(reason) });
  // Use a separate queue, so that changes and deletions of the cluster do not wait for the repair.
  await enqueueWork<Repair>(tx, REPAIR, cluster, { since: tx.now.toISOString() }, { queue: 'repair' });
}

/** Retries until the nodes run, or until the cluster is changed or deleted. */
export const repairCluster: TaskKind<Repair, Services> = {
  ...REPAIR,
  steps: [
    step({
      name: 'deploy',
      async run(context) {
        const { store, payload } = context;
        const before = await store.read((tx) => repairing(tx, payload.clusterId));
        if (before === undefined) return undefined;
        try {
          const applied = await deploy(context);
          // Restart nodes that were stopped individually and should run again.
          await applyStops(context);
          return applied;
        } catch (error) {
          if (error instanceof NotYet) throw error;
          const reason = errorMessage(error);
          if (reason !== before.placement.problem) {
            await store.write((tx) => recordProblem(tx, payload.clusterId, reason));
          }
          throw new NotYet(
            pauseAfter(Date.parse(payload.since), context.services.clock.now().getTime()),
            reason,
          );
        }
      },
      async commit(tx, { payload }, applied) {
        if (await repairing(tx, payload.clusterId)) await deployed(tx, payload.clusterId, applied);
      },
    }),
  ],
};

function pauseAfter(since: number, now: number): number {
  return Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, (now - since) / 4));
}

async function repairing(tx: ReadTx, id: string): Promise<ClusterModel | undefined> {
  const cluster = await clusterById(tx, id);
  return cluster?.state === 'REPAIRING' ? cluster : undefined;
}

async function recordProblem(tx: Tx, id: string, problem: string): Promise<void> {
  const cluster = await repairing(tx, id);
  if (cluster) await updateCluster(tx, { ...cluster, placement: { ...cluster.placement, problem } });
}

/**
 * Checks periodically, by machine time, whether the deployments of the reachable hosts run. Deployments of the local
 * host are checked before the service is ready. In a copied data directory, the rows still contain the ports of the
 * original deployments, but the copies run on other ports.
 */
export function watchDeployments(services: Services): Background {
  const { store, engines, machine, log } = services;
  let known: ReadonlySet<string> = new Set();
  let checks = 0;

  /** Returns the deployments that the host lacks, and those whose ports differ from their rows. */
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

  /**
   * Whether a deployment and its row differ in their ports. Reads the row twice, since it may change in between. If the
   * service does not determine the members, they may differ until the row is updated from the servers.
   */
  async function hasMoved(id: string, engine: Engine): Promise<boolean> {
    const row = () => store.read((tx) => clusterById(tx, id));
    const before = await row();
    const deployment = await engine.describe(id);
    const after = await row();
    if (before === undefined || !can(before, 'topology') || !isDeepStrictEqual(before, after)) return false;
    const ports = new Map(deployment?.members.map((member) => [member.id, member.port]));
    return before.placement.members.some((member) => ports.get(member.id) !== member.port);
  }

  async function checkOwnHost(): Promise<void> {
    const lost = await lostOn(engines.local);
    for (const { id, message } of lost) await reportLoss(services, id, message);
    known = new Set(lost.map(({ id }) => id));
  }

  async function check(): Promise<void> {
    const now = new Set<string>();
    const all = checks % CHECKS_PER_FULL_CHECK === 0;
    const again = checks % CHECKS_PER_REPORT === 0;
    checks++;
    for (const host of engines.reachable().filter(engines.keeps)) {
      const lost = all ? await lostOn(host) : [];
      for (const { id, message } of [...lost, ...(await engines.at(host).troubled())]) {
        now.add(id);
        if (again || !known.has(id)) await reportLoss(services, id, message);
      }
    }
    known = now;
  }

  const onError = (error: Error) => log.debug({ reason: error.message }, 'checking deployments failed');
  const watch = repeat({ machine, run: check, interval: CHECK_MS, onError });
  return { ready: checkOwnHost().catch(onError), stop: () => watch.stop() };
}

/**
 * Checks whether the hosts of the clusters respond. `watchDeployments` cannot check this, because its calls to a
 * suspended host return only when the host continues. The same applies to the calls of tasks and repairs.
 */
export function watchHosts(services: Services): Background {
  const { store, engines, machine, log } = services;
  return repeat({
    machine,
    async run() {
      for (const host of engines.silent().filter(engines.keeps)) {
        for (const { id } of await store.read((tx) => idleOn(tx, host)))
          await reportLoss(services, id, SILENT);
      }
    },
    interval: CHECK_MS,
    onError: (error) => log.debug({ reason: error.message }, 'checking engine hosts failed'),
  });
}

/**
 * Stops and starts nodes as requested, for tasks that retry until the nodes run again. Until then, the cluster shows
 * the problem.
 */
export async function restartNodes(context: TaskContext<Services, ClusterWork>): Promise<void> {
  try {
    await applyStops(context);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof NotYet) throw error;
    const reason = errorMessage(error);
    await reportLoss(context.services, context.payload.clusterId, reason);
    throw new NotYet(CHECK_MS, reason);
  }
}

/**
 * Stops and starts nodes as requested, for tasks that try only once. If this fails, a repair reports the problem and
 * retries. The repair does not block changes of the cluster.
 */
export async function stopOrRepair(context: TaskContext<Services, ClusterWork>): Promise<void> {
  try {
    await applyStops(context);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof NotYet) throw error;
    const { services, payload } = context;
    await reportLoss(services, payload.clusterId, errorMessage(error));
    // If no repair has begun, the cluster is being changed. Retry the task.
    if ((await services.store.read((tx) => repairing(tx, payload.clusterId))) === undefined) throw error;
  }
}

/**
 * Starts a repair of an idle cluster. For a cluster that is being created or changed, the task in progress finds the
 * problem.
 */
async function reportLoss({ store, log }: Services, id: string, reason: string): Promise<void> {
  const lost = await store.write(async (tx) => {
    const cluster = await clusterById(tx, id);
    if (cluster?.state !== 'IDLE' || cluster.paused) return undefined;
    await markLost(tx, cluster, reason);
    return cluster;
  });
  if (lost) log.warn({ cluster: lost.name, clusterId: id, reason }, 'a cluster has lost its nodes');
}
