import { isDeepStrictEqual } from 'node:util';
import { LOWERCASE_AND_DIGITS, randomText } from '@portolan/foundation/random';
import { type Actor, system } from '../../../events/index.ts';
import { dropCounts, type Tx } from '../../../store/index.ts';
import { customDns, ensureContainers, privateIpMode } from '../../networks/index.ts';
import { assertWithin, projectCounters } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { recount } from '../lists.ts';
import { type ClusterModel, type ClusterSpec, isSharded } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { kindOf } from '../model/kinds.ts';
import { NAME_PREFIX } from '../model/names.ts';
import { type ClusterSettings, mergeSettings, pickSettings, settingsIn } from '../model/settings.ts';
import { stateAfter } from '../model/states.ts';
import { deleteCluster, findCluster, insertCluster, sameHostNames, updateCluster } from '../rows.ts';
import { checkDecrease } from '../rules/disk-decrease.ts';
import { checkBeside, checkSpec } from '../rules/index.ts';
import { resumeLater, watchIdleness } from './dated-work.ts';
import { type ClusterEvent, recordOn } from './events.ts';
import { clusterChanging, clusterRemoved } from './hooks.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/** What changes a cluster: each changes its row, its event, its counts and its task together. */

export const APPLY = { kind: 'cluster.apply' };
export const REMOVE = { kind: 'cluster.remove' };

/** `retainBackups` is absent from tasks that were made before it was asked for. */
export interface Removal extends ClusterWork {
  readonly retainBackups?: boolean;
}

/** Where a new cluster runs, and the six characters for its replica set's name. */
export function newPlace({ random, engines }: Services): { mark: string; host: string } {
  return { mark: randomText(random, LOWERCASE_AND_DIGITS, 6), host: engines.local };
}

/** `mark` and `host` as `newPlace` gives them. */
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
    placement: { mark, members: [], ...((await customDns(tx, groupId)) ? { ownNames: true } : {}) },
    accessRevision: 0,
    host,
  };
  await checkBeside(tx, cluster);
  await tx.publish(clusterChanging, { kind: 'create', cluster });
  await insertCluster(tx, cluster);
  await ensureNetworks(tx, cluster);
  await recount(tx, groupId, undefined, spec);
  await recordOn(tx, cluster, 'CLUSTER_CREATED', actor);
  await enqueueWork(tx, APPLY, cluster, {});
  await watchIdleness(tx, cluster);
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

/** Takes over a change that somebody asked for, and lets a task carry it out. */
export async function changeCluster(
  tx: Tx,
  cluster: ClusterModel,
  change: Partial<Pick<ClusterModel, 'spec' | 'paused' | 'resumed'>>,
  actor: Actor,
  submitted: ClusterEvent = 'CLUSTER_UPDATE_SUBMITTED',
): Promise<ClusterModel> {
  if (change.spec) {
    checkSpec(change.spec, cluster.spec);
    await checkBeside(tx, { ...cluster, spec: change.spec }, cluster.spec);
  }
  const becomes = change.spec !== undefined && isSharded(change.spec) && !isSharded(cluster.spec);
  const changed = nextGeneration({
    ...cluster,
    ...change,
    ...(becomes && change.spec ? { spec: { ...change.spec, wasReplicaSet: true } } : {}),
  });
  await tx.publish(clusterChanging, { kind: 'update', cluster: changed, before: cluster });
  await updateCluster(tx, changed);
  await recount(tx, cluster.groupId, cluster.spec, changed.spec);
  await ensureNetworks(tx, changed);
  await recordOn(tx, cluster, submitted, actor);
  await recordTags(tx, cluster, changed, actor);
  await enqueueWork(tx, APPLY, cluster, {});
  return changed;
}

async function recordTags(tx: Tx, before: ClusterModel, after: ClusterModel, actor: Actor): Promise<void> {
  const [old, tags] = [before, after].map(({ spec }) => spec.settings.tags ?? []);
  if (!isDeepStrictEqual(old, tags)) await recordOn(tx, before, 'CLUSTER_TAGS_MODIFIED', actor);
}

/** What a task is to carry out; throws in a state that does not allow it. */
export function nextGeneration(cluster: ClusterModel): ClusterModel {
  return { ...cluster, state: stateAfter(cluster, 'change'), generation: cluster.generation + 1 };
}

/** Another `spec`, and an end of its pause where `resumes`; `stored`: bytes that a smaller disk has to hold. */
export async function reviseCluster(
  tx: Tx,
  cluster: ClusterModel,
  change: { readonly spec: ClusterSpec; readonly resumes: boolean; readonly stored: number | undefined },
  actor: Actor,
): Promise<ClusterModel> {
  const { spec, resumes, stored } = change;
  const resumed = resumes ? { paused: false, resumed: tx.now } : {};
  const changed = await changeCluster(tx, cluster, { ...resumed, spec }, actor);
  checkDecrease(cluster.spec, spec, stored);
  if (resumes) await watchIdleness(tx, changed);
  return changed;
}

/** Somebody's pause, which ends by itself after a while. */
export async function pauseCluster(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<ClusterModel> {
  const paused = await changeCluster(tx, cluster, { paused: true }, actor);
  await resumeLater(tx, paused);
  return paused;
}

/** Brings a shared size or a flex cluster to other terms: the deployment grows, its data, its name, tags and protection stay. */
export async function upgradeCluster(
  tx: Tx,
  cluster: ClusterModel,
  spec: ClusterSpec,
  actor: Actor,
): Promise<ClusterModel> {
  if (!cluster.spec.tenant) throw clusterFaults.CLUSTER_ALREADY_DEDICATED(cluster.name);
  if (spec.tenant && kindOf(spec) === kindOf(cluster.spec)) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('the upgrade leads to a larger kind of cluster');
  }
  const zones = spec.zones.map((zone, i) => ({ ...zone, id: cluster.spec.zones[i]?.id ?? zone.id }));
  const kept = pickSettings(cluster.spec.settings, 'labels', 'tags', 'terminationProtectionEnabled');
  return changeCluster(
    tx,
    cluster,
    { spec: { ...spec, zones, settings: { ...kept, ...spec.settings } } },
    actor,
  );
}

/** Takes over settings that have no effect on the nodes; there is nothing for a task to do. */
export async function changeSettings(
  tx: Tx,
  cluster: ClusterModel,
  named: ClusterSettings,
  actor: Actor,
): Promise<ClusterModel> {
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  const settings = mergeSettings(cluster.spec.settings, settingsIn(named));
  const changed = { ...cluster, spec: { ...cluster.spec, settings } };
  await tx.publish(clusterChanging, { kind: 'update', cluster: changed, before: cluster });
  await updateCluster(tx, changed);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_SUBMITTED', actor);
  await recordTags(tx, cluster, changed, actor);
  // Nodes have nothing to do about it, so it is done here and now.
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_STARTED', system);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_COMPLETED', system);
  return changed;
}

/** Lets a task end a cluster; throws for one that is protected. */
export async function requestRemoval(
  tx: Tx,
  cluster: ClusterModel,
  actor: Actor,
  retainBackups = false,
): Promise<void> {
  const { groupId, name, spec } = cluster;
  if (spec.settings.terminationProtectionEnabled === true) {
    throw clusterFaults.CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED(name, groupId);
  }
  const state = stateAfter(cluster, 'remove');
  await tx.publish(clusterChanging, { kind: 'remove', cluster, retainBackups });
  await updateCluster(tx, { ...cluster, state });
  await recordOn(tx, cluster, 'CLUSTER_DELETE_SUBMITTED', actor);
  await enqueueWork<Removal>(tx, REMOVE, cluster, { retainBackups });
}

/** A cluster whose deployment and data are gone: its row and whatever is kept of it go. */
export async function forgetCluster(
  tx: Tx,
  cluster: ClusterModel,
  { retainBackups = false }: Removal,
): Promise<void> {
  await deleteCluster(tx, cluster.id);
  await recount(tx, cluster.groupId, cluster.spec, undefined);
  await dropCounts(tx, { kind: 'cluster', id: cluster.id });
  await tx.publish(clusterRemoved, { cluster, retainBackups });
  await recordOn(tx, cluster, 'CLUSTER_DELETED', system);
}
