import type { Deployment } from '@portolan/engine/interface/engine';
import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import type { TaskContext } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { ClusterModel, Placement } from '../model/cluster.ts';
import { stateAfter } from '../model/states.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { accessOf, recordAccessProblem, withAccessProblem } from './access.ts';
import { auditingOf } from './auditing.ts';
import { masterKeyOf } from './encryption.ts';
import { type ClusterEvent, recordOn } from './events.ts';
import { asFound } from './found.ts';
import { waitForMajority } from './majority.ts';
import { recordRefusedArguments } from './refused-arguments.ts';
import { withStops } from './stops.ts';
import { deploymentOf } from './topology.ts';
import type { ClusterWork } from './work.ts';

export type DeployContext = TaskContext<Services, ClusterWork>;

/** The problem that a cluster shows if its engine host has no deployment for it. */
export const LOST =
  'the folder of the cluster, or the file deployment.json in this folder, is missing on the engine host: restore it, or delete the cluster';

/** The result of applying a row to a deployment. `pinned` is the version that was pinned in the row. */
export interface Applied {
  readonly generation: number;
  readonly pinned?: string | undefined;
  readonly deployment: Deployment;
}

/** Applies the row of a cluster to its deployment. Returns undefined if the cluster is gone or being deleted. */
export async function deploy({ services, store, payload }: DeployContext): Promise<Applied | undefined> {
  const desired = await store.read((tx) => readDesiredState(tx, services, payload.clusterId));
  if (!desired) return undefined;
  const { cluster, ...inputs } = desired;
  const engine = services.engines.at(cluster.host);
  const spec = deploymentOf(cluster, inputs);
  // Do not replace a missing deployment by an empty one, since callers would believe that the data is lost.
  const before = await engine.describe(cluster.id);
  if (cluster.placement.updated !== undefined && before === undefined) throw new Error(LOST);
  if (before !== undefined) waitForMajority(cluster, before, services.clock.now());
  await engine.provision(spec);
  await engine.reconfigure(spec);
  const deployment = cluster.paused ? await engine.pause(cluster.id) : await engine.resume(cluster.id);
  if (deployment.state === 'failed') throw new Error(deployment.message ?? 'the deployment is not running');
  return { generation: cluster.generation, pinned: cluster.spec.pinned?.version, deployment };
}

/**
 * Returns the cluster with its users, audit configuration and key; undefined if the cluster is gone or being deleted.
 */
export async function readDesiredState(tx: ReadTx, { secrets }: Services, id: string) {
  const cluster = await clusterById(tx, id);
  if (!cluster || cluster.state === 'DELETING') return undefined;
  return {
    cluster,
    access: await accessOf(tx, secrets, cluster),
    auditing: await auditingOf(tx, cluster),
    masterKey: await masterKeyOf(tx, cluster),
  };
}

/** Stores the result of a deployment. Sets the state to IDLE unless the row has changed in the meantime. */
export async function deployed(tx: Tx, id: string, applied: Applied | undefined): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (!applied || !cluster || cluster.state === 'DELETING') return;
  // If the cluster has changed in the meantime, the task of that change sets the state.
  const current = applied.generation === cluster.generation;
  const finished = current && cluster.state !== 'IDLE';
  const { found, refusedArguments, accessProblem = cluster.placement.accessProblem } = applied.deployment;
  const placement = withAccessProblem(
    {
      ...placed(cluster.placement, applied.deployment, tx.now),
      ...(found === undefined ? {} : { found, ...keptCompatibility(cluster, applied) }),
      ...(refusedArguments && { refusedArguments }),
    },
    accessProblem ?? undefined,
  );
  await recordAccessProblem(tx, cluster, placement);
  await recordRefusedArguments(tx, cluster, placement);
  await updateCluster(tx, {
    ...(found === undefined ? cluster : asFound(cluster, found)),
    state: finished ? stateAfter(cluster, 'applied') : cluster.state,
    placement,
    accessRevision: Math.max(cluster.accessRevision, applied.deployment.accessRevision),
  });
  if (finished) {
    await recordOn(tx, cluster, endOf(cluster), system);
  }
}

/**
 * Returns the feature compatibility version that the servers must keep. This is the pinned version. After the end of
 * the pin, it stays the same if the servers still refuse to change their version.
 */
function keptCompatibility(
  { placement }: ClusterModel,
  { pinned, deployment: { refusedArguments = [] } }: Applied,
): Pick<Placement, 'keptCompatibility'> {
  const isRefused = refusedArguments.some(({ name }) => name === 'featureCompatibilityVersion');
  const kept = pinned ?? (isRefused ? placement.keptCompatibility : undefined);
  return kept === undefined ? {} : { keptCompatibility: kept };
}

/** Returns the event that reports the end of the current state. */
function endOf({ placement, state }: ClusterModel): ClusterEvent {
  if (placement.updated === undefined) return 'CLUSTER_READY';
  return state === 'REPAIRING' ? 'CLUSTER_REPAIRED' : 'CLUSTER_UPDATE_COMPLETED';
}

function placed(
  { problem: _, refusedArguments: _refused, keptCompatibility: _kept, ...before }: Placement,
  { members, servers }: Deployment,
  now: Date,
): Placement {
  const same = JSON.stringify(before.members) === JSON.stringify(members);
  const ids = new Set(members.map(({ id }) => id));
  // Drop stopped members that no longer exist, because a later member with the same id is a different one.
  const updated = (same ? before.updated : undefined) ?? now.toISOString();
  return withStops({ ...before, members, updated, ...(servers && { servers }) }, before.stopped, (id) =>
    ids.has(id),
  );
}
