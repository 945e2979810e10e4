import { type Actor, recordEvent } from '../../../events/index.ts';
import { LOWERCASE_AND_DIGITS, randomText } from '../../../runtime/random.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import { ensureContainers, privateIpMode } from '../../networks/index.ts';
import { assertWithin, findProject, projectCounters } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { recount } from '../lists.ts';
import { type ClusterModel, isSharded, type KeptFields } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { NAME_PREFIX } from '../model/names.ts';
import { stateAfter } from '../model/states.ts';
import { type ClusterPlace, findCluster, insertCluster, sameHostNames, updateCluster } from '../rows.ts';
import { checkBeside, checkSpec } from '../rules/index.ts';

/** Tasks of clusters (`tasks.ts`). Those of one cluster share a key, so they run one after another. */
export const APPLY = { kind: 'cluster.apply' };
export const APPLY_ACCESS = { kind: 'cluster.applyAccess' };
export const REMOVE = { kind: 'cluster.remove' };

export const taskOf = ({ id, host }: ClusterPlace) => ({
  key: `cluster:${id}`,
  payload: { clusterId: id },
  host,
});

export async function recordOn(
  tx: Tx,
  cluster: ClusterModel,
  type: string,
  actor: Actor,
  details?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const project = await findProject(tx, cluster.groupId);
  if (!project) return;
  const { orgId, id: groupId } = project;
  const event = { type, orgId, groupId, actor, clusterName: cluster.name };
  await recordEvent(tx, details === undefined ? event : { ...event, details });
}

/** Where a new cluster runs, and the six characters for its replica set's name. */
export function newPlace({ random, engines }: Services): { mark: string; host: string } {
  return { mark: randomText(random, LOWERCASE_AND_DIGITS, 6), host: engines.local };
}

/** Row, event and task of a new cluster; `mark` and `host` as `newPlace` gives them. */
export async function addCluster(
  tx: Tx,
  wanted: Pick<ClusterModel, 'groupId' | 'name' | 'spec' | 'host'> & { mark: string },
  actor: Actor,
): Promise<ClusterModel> {
  const { groupId, name, spec, host, mark } = wanted;
  checkSpec(spec);
  await checkFree(tx, groupId, name);
  const cluster: ClusterModel = {
    id: tx.id(),
    groupId,
    name,
    state: 'CREATING',
    created: tx.now,
    paused: false,
    spec,
    generation: 1,
    placement: { mark, members: [] },
    accessRevision: 0,
    host,
  };
  await checkBeside(tx, cluster);
  await insertCluster(tx, cluster);
  await ensureNetworks(tx, cluster);
  await addCount(tx, projectCounters.clusters, groupId, 1);
  await recount(tx, groupId, undefined, spec);
  await recordOn(tx, cluster, 'CLUSTER_CREATED', actor);
  await enqueue(tx, APPLY, taskOf(cluster));
  return cluster;
}

/** Dedicated nodes have addresses out of a network of the project. */
async function ensureNetworks(tx: Tx, { groupId, spec }: ClusterModel): Promise<void> {
  if (spec.tenant) return;
  await ensureContainers(
    tx,
    groupId,
    spec.zones.flatMap(({ regions }) => regions),
  );
}

async function checkFree(tx: Tx, groupId: string, name: string): Promise<void> {
  if (await findCluster(tx, groupId, name)) {
    throw clusterFaults.DUPLICATE_CLUSTER_NAME('cluster or serverless instance', name, groupId);
  }
  if (name.length > NAME_PREFIX && (await privateIpMode(tx, groupId))) {
    throw clusterFaults.CLUSTER_NAME_TOO_LONG(name, NAME_PREFIX);
  }
  if (await sameHostNames(tx, groupId, name))
    throw clusterFaults.DUPLICATE_CLUSTER_NAME_PREFIX(name, NAME_PREFIX);
  await assertWithin(tx, groupId, projectCounters.clusters, clusterFaults.CLUSTERS_LIMIT_EXCEEDED);
}

/** Takes over a change that a caller asked for, and lets a task carry it out. */
export async function changeCluster(
  tx: Tx,
  cluster: ClusterModel,
  change: Partial<Pick<ClusterModel, 'spec' | 'paused' | 'resumed'>>,
  actor: Actor,
): Promise<ClusterModel> {
  if (change.spec) {
    checkSpec(change.spec, cluster.spec);
    await checkBeside(tx, { ...cluster, spec: change.spec }, cluster.spec);
  }
  const becomes = change.spec !== undefined && isSharded(change.spec) && !isSharded(cluster.spec);
  const changed: ClusterModel = {
    ...cluster,
    ...change,
    ...(becomes && change.spec ? { spec: { ...change.spec, wasReplicaSet: true } } : {}),
    state: stateAfter(cluster, 'change'),
    generation: cluster.generation + 1,
  };
  await updateCluster(tx, changed);
  await recount(tx, cluster.groupId, cluster.spec, changed.spec);
  await ensureNetworks(tx, changed);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_SUBMITTED', actor);
  await enqueue(tx, APPLY, taskOf(cluster));
  return changed;
}

/** Takes over a change of what has no effect on the nodes; there is nothing for a task to do. */
export async function changeKept(
  tx: Tx,
  cluster: ClusterModel,
  named: KeptFields,
  actor: Actor,
): Promise<ClusterModel> {
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  const kept = { ...cluster.spec.kept, ...named };
  const changed = { ...cluster, spec: { ...cluster.spec, kept } };
  await updateCluster(tx, changed);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_SUBMITTED', actor);
  return changed;
}

export async function requestRemoval(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  await updateCluster(tx, { ...cluster, state: stateAfter(cluster, 'remove') });
  await recordOn(tx, cluster, 'CLUSTER_DELETE_SUBMITTED', actor);
  await enqueue(tx, REMOVE, taskOf(cluster));
}

/** Lets a task bring the project's users and addresses to a cluster. */
export async function requestAccess(tx: Tx, cluster: ClusterPlace): Promise<void> {
  await enqueue(tx, APPLY_ACCESS, taskOf(cluster));
}
