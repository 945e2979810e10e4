import { isDeepStrictEqual } from 'node:util';
import { LOWERCASE_AND_DIGITS, randomText } from '@portolan/foundation/random';
import { type Actor, system } from '../../../events/index.ts';
import { dropCounts, type Tx } from '../../../store/index.ts';
import { customDns, ensureContainers, privateIpMode } from '../../networks/index.ts';
import { assertWithin, projectCounters } from '../../projects/index.ts';
import type { Services } from '../../services.ts';
import { recount } from '../lists.ts';
import { can } from '../model/capabilities.ts';
import { type ClusterModel, type ClusterSpec, isSharded, type Placement } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { kindOf } from '../model/kinds.ts';
import { duplicateName, isSameName, NAME_PREFIX } from '../model/names.ts';
import { type ClusterSettings, mergeSettings, pickSettings, settingsIn } from '../model/settings.ts';
import { stateAfter } from '../model/states.ts';
import { deleteCluster, insertCluster, sameHostNames, updateCluster } from '../rows.ts';
import { checkDecrease } from '../rules/disk-decrease.ts';
import { checkEngine, checkNewOnEngine } from '../rules/engine.ts';
import { checkAddedRegions, hostOfNew } from '../rules/engine-regions.ts';
import { checkAgainstProject, checkCloudBackup, checkFields, checkSpec } from '../rules/index.ts';
import { scheduleIdlenessCheck, scheduleResumption } from './dated-work.ts';
import { type ClusterEvent, recordOn } from './events.ts';
import { clusterChanging, clusterRemoved } from './hooks.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

/**
 * This file changes clusters. Each function updates the row, events, counters and tasks in one transaction.
 */

export const APPLY = { kind: 'cluster.apply' };
export const REMOVE = { kind: 'cluster.remove' };

/** `retainBackups` is absent in tasks that earlier versions enqueued. */
export interface Removal extends ClusterWork {
  readonly retainBackups?: boolean;
}

/** Where a new cluster runs. */
interface NewPlacement
  extends Pick<ClusterModel, 'host'>,
    Pick<Placement, 'engine' | 'engineFacts' | 'mark'> {}

/** Creates the mark of a cluster: six characters that become a part of the name of its replica set. */
export const newMark = ({ random }: Pick<Services, 'random'>): string =>
  randomText(random, LOWERCASE_AND_DIGITS, 6);

/** Chooses the engine, the host and the mark of a new cluster. */
export function choosePlacement(
  services: Services,
  wanted: Pick<ClusterModel, 'name' | 'spec'>,
): NewPlacement {
  return { mark: newMark(services), ...hostOfNew(services.engines, wanted) };
}

/** Stores a new cluster. `mark` and `host` come from `choosePlacement`. */
export async function addCluster(
  tx: Tx,
  wanted: Pick<ClusterModel, 'groupId' | 'name' | 'spec'> & NewPlacement,
  actor: Actor,
): Promise<ClusterModel> {
  const { groupId, name, host, mark, engine, engineFacts } = wanted;
  const spec = withConfigServers(wanted);
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
    placement: {
      mark,
      members: [],
      ...(engine && { engine }),
      ...(engineFacts && { engineFacts }),
      ...((await customDns(tx, groupId)) ? { ownNames: true } : {}),
    },
    accessRevision: 0,
    host,
  };
  checkNewOnEngine(cluster);
  await checkAgainstProject(tx, cluster);
  await tx.publish(clusterChanging, { kind: 'create', cluster });
  await insertCluster(tx, cluster);
  await ensureNetworks(tx, cluster);
  await recount(tx, groupId, undefined, spec);
  await recordOn(tx, cluster, 'CLUSTER_CREATED', actor);
  await enqueueWork(tx, APPLY, cluster, {});
  await scheduleIdlenessCheck(tx, cluster);
  return cluster;
}

/** Returns the specification of a new cluster. Config servers are dedicated if the engine supports no other kind. */
function withConfigServers({ spec, engine }: Pick<ClusterModel, 'spec'> & NewPlacement): ClusterSpec {
  const { settings } = spec;
  const isFree = !isSharded(spec) || settings.configServerManagementMode !== undefined;
  if (isFree || can({ placement: { ...(engine && { engine }) } }, 'serverSettings')) return spec;
  return { ...spec, settings: { ...settings, configServerManagementMode: 'FIXED_TO_DEDICATED' } };
}

/**
 * Creates the networks from which the dedicated nodes of a cluster get their addresses, in the project of the cluster.
 */
async function ensureNetworks(tx: Tx, { groupId, spec }: ClusterModel): Promise<void> {
  if (spec.tenant) return;
  await ensureContainers(
    tx,
    groupId,
    spec.zones.flatMap(({ regions }) => regions),
  );
}

/** Throws if the project cannot have a further cluster with this name. */
export async function checkFree(tx: Tx, groupId: string, name: string): Promise<void> {
  const other = await sameHostNames(tx, groupId, name);
  if (other !== undefined && isSameName(other, name)) throw duplicateName(groupId, name);
  if (name.length > NAME_PREFIX && (await privateIpMode(tx, groupId))) {
    throw clusterFaults.CLUSTER_NAME_TOO_LONG(name, NAME_PREFIX).at('name');
  }
  if (other !== undefined) throw clusterFaults.DUPLICATE_CLUSTER_NAME_PREFIX(name, NAME_PREFIX).at('name');
  await assertWithin(tx, groupId, projectCounters.clusters, clusterFaults.CLUSTERS_LIMIT_EXCEEDED);
}

/** Stores a requested change and enqueues the task that applies it. */
export async function changeCluster(
  tx: Tx,
  cluster: ClusterModel,
  change: Partial<Pick<ClusterModel, 'spec' | 'paused' | 'resumed'>>,
  actor: Actor,
  submitted: ClusterEvent = 'CLUSTER_UPDATE_SUBMITTED',
): Promise<ClusterModel> {
  checkEngine(cluster, change);
  if (change.spec) {
    // The rules for topologies do not apply to servers outside Portolan.
    if (can(cluster, 'topology')) checkSpec(change.spec, cluster.spec);
    else checkFields(change.spec, cluster.spec);
    await checkAgainstProject(tx, { ...cluster, spec: change.spec }, cluster.spec);
  }
  const becomes = change.spec !== undefined && isSharded(change.spec) && !isSharded(cluster.spec);
  const changed = nextGeneration({
    ...cluster,
    ...change,
    ...(becomes && change.spec ? { spec: { ...change.spec, wasReplicaSet: true } } : {}),
  });
  await tx.publish(clusterChanging, { kind: 'update', cluster: changed, before: cluster, actor });
  if (change.spec) checkCloudBackup(change.spec);
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

/**
 * Returns the cluster in the state UPDATING, with `generation` increased by 1. A task then applies the change. Throws
 * if the state of the cluster does not allow a change.
 */
export function nextGeneration(cluster: ClusterModel): ClusterModel {
  return { ...cluster, state: stateAfter(cluster, 'change'), generation: cluster.generation + 1 };
}

/**
 * Changes the spec, and optionally resumes the cluster. `stored` is the size of the data in bytes, for which a smaller
 * disk must have enough space.
 */
export async function reviseCluster(
  tx: Tx,
  { engines }: Pick<Services, 'engines'>,
  cluster: ClusterModel,
  change: { readonly spec: ClusterSpec; readonly resumes: boolean; readonly stored: number | undefined },
  actor: Actor,
): Promise<ClusterModel> {
  const { spec, resumes, stored } = change;
  checkAddedRegions(engines, cluster, spec);
  const resumed = resumes ? { paused: false, resumed: tx.now } : {};
  const changed = await changeCluster(tx, cluster, { ...resumed, spec }, actor);
  checkDecrease(cluster.spec, spec, stored);
  if (resumes) await scheduleIdlenessCheck(tx, changed);
  return changed;
}

/** Pauses a cluster at the request of a caller. The cluster resumes automatically after `MAX_PAUSE_MS`. */
export async function pauseCluster(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<ClusterModel> {
  const paused = await changeCluster(tx, cluster, { paused: true }, actor);
  await scheduleResumption(tx, paused);
  return paused;
}

/**
 * Upgrades a shared or flex cluster to another kind. The cluster keeps its data, name, tags and termination protection.
 */
export async function upgradeCluster(
  tx: Tx,
  { engines }: Pick<Services, 'engines'>,
  cluster: ClusterModel,
  spec: ClusterSpec,
  actor: Actor,
): Promise<ClusterModel> {
  if (!cluster.spec.tenant) throw clusterFaults.CLUSTER_ALREADY_DEDICATED(cluster.name);
  if (spec.tenant && kindOf(spec) === kindOf(cluster.spec)) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('the upgrade must lead to a larger kind of cluster');
  }
  checkAddedRegions(engines, cluster, spec);
  const zones = spec.zones.map((zone, i) => ({ ...zone, id: cluster.spec.zones[i]?.id ?? zone.id }));
  const kept = pickSettings(cluster.spec.settings, 'labels', 'tags', 'terminationProtectionEnabled');
  return changeCluster(
    tx,
    cluster,
    { spec: { ...spec, zones, settings: { ...kept, ...spec.settings } } },
    actor,
  );
}

/** Stores settings that do not affect the nodes, so that no task is needed. */
export async function changeSettings(
  tx: Tx,
  cluster: ClusterModel,
  named: ClusterSettings,
  actor: Actor,
): Promise<ClusterModel> {
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  const settings = mergeSettings(cluster.spec.settings, settingsIn(named));
  const changed = { ...cluster, spec: { ...cluster.spec, settings } };
  checkEngine(cluster, changed);
  await tx.publish(clusterChanging, { kind: 'update', cluster: changed, before: cluster, actor });
  await updateCluster(tx, changed);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_SUBMITTED', actor);
  await recordTags(tx, cluster, changed, actor);
  // The update is already complete, since it does not affect the nodes.
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_STARTED', system);
  await recordOn(tx, cluster, 'CLUSTER_UPDATE_COMPLETED', system);
  return changed;
}

/** Requests the deletion of a cluster. Throws if termination protection is enabled. */
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

/** Deletes the row and counters of a cluster. Called once its deployment and data are gone. */
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
