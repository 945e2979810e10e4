import { isDeepStrictEqual } from 'node:util';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { type Actor, system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { instanceSizes } from '../catalogue/sizes.ts';
import { recount } from '../lists.ts';
import type { ClusterModel, ClusterSpec, RegionNodes } from '../model/cluster.ts';
import { checkName } from '../model/names.ts';
import { clusterById, insertCluster, updateCluster } from '../rows.ts';
import { withAccessProblem } from './access.ts';
import { APPLY, checkFree } from './changes.ts';
import { recordOn } from './events.ts';
import { clusterChanging } from './hooks.ts';
import { hasOtherArguments, hasOtherCompatibility } from './refused-arguments.ts';
import { enqueueWork } from './work.ts';

/*
 * This file is about clusters of servers outside Portolan. Their rows record what the engine finds: nodes,
 * version and sizes.
 */

const GB = 1024 ** 3;

/** The provider and region that the API shows for the nodes. Servers outside Portolan do not report them. */
type Place = Pick<RegionNodes, 'provider' | 'region'>;

/** `mark` is the mark of the cluster, and `host` is the id of its engine host. `zoneId` is the id of the only zone. */
export interface NewFound extends Pick<ClusterModel, 'groupId' | 'name' | 'host'> {
  readonly mark: string;
  readonly found: FoundServers;
  readonly place: Place;
}

/** Adds a cluster that consists of existing servers. A task inspects the servers and then sets the state to IDLE. */
export async function addFound(
  tx: Tx,
  { groupId, name, host, mark, found, place }: NewFound,
  actor: Actor,
): Promise<ClusterModel> {
  checkName(name);
  await checkFree(tx, groupId, name);
  const cluster: ClusterModel = {
    ...{ id: tx.id(), groupId, name, host },
    ...{ state: 'CREATING', created: tx.now, paused: false, generation: 1, accessRevision: 0 },
    spec: specOf(found, { id: tx.id(), ...place }),
    placement: { mark, members: addressesOf(found), found },
  };
  await tx.publish(clusterChanging, { kind: 'create', cluster });
  await insertCluster(tx, cluster);
  await recount(tx, groupId, undefined, cluster.spec);
  await recordOn(tx, cluster, 'CLUSTER_CREATED', actor);
  await enqueueWork(tx, APPLY, cluster, {});
  return cluster;
}

const addressesOf = ({ members }: FoundServers) => members.map(({ id, host, port }) => ({ id, host, port }));

/**
 * Returns a specification that describes the servers. The instance size of servers outside Portolan is unknown, so the
 * specification contains the size whose memory is closest.
 */
function specOf(found: FoundServers, { id, provider, region }: Place & { readonly id: string }): ClusterSpec {
  const shards = new Set(found.members.map(({ shard }) => shard)).size;
  const ofFirst = found.members.filter(({ shard, kind }) => shard === 0 && kind !== 'router');
  const count = (kind: string) => ofFirst.filter((member) => member.kind === kind).length;
  const nodes = { electable: count('electable'), readOnly: count('readOnly'), analytics: 0 };
  const regions = [{ provider, region, priority: 7, ...nodes }];
  return {
    clusterType: found.topology === 'SHARDED' ? 'SHARDED' : 'REPLICASET',
    zones: [{ id, name: 'Zone 1', numShards: shards, regions }],
    instanceSize: nearestSize(provider, found),
    tenant: false,
    diskSizeGB: Math.max(1, Math.ceil((found.machine?.diskBytes ?? 0) / GB)),
    majorVersion: found.version.split('.').slice(0, 2).join('.'),
    settings: {},
  };
}

function nearestSize(provider: Place['provider'], { machine }: FoundServers): string {
  const general = [...instanceSizes[provider].values()].filter((size) => size.class === 'general');
  const gb = (machine?.memoryBytes ?? 0) / GB;
  const distance = (ramGB: number) => Math.abs(ramGB - gb);
  const nearest = general.reduce((one, other) => (distance(other.ramGB) < distance(one.ramGB) ? other : one));
  return nearest.name;
}

/** Returns the cluster with the facts that the engine has found about its servers. */
export function asFound(cluster: ClusterModel, found: FoundServers): ClusterModel {
  const [zone] = cluster.spec.zones;
  const [region] = zone?.regions ?? [];
  if (zone === undefined || region === undefined) throw new Error('the cluster has no zone');
  const { id } = zone;
  const { provider, region: name } = region;
  const spec = { ...cluster.spec, ...specOf(found, { id, provider, region: name }) };
  return {
    ...cluster,
    spec: { ...spec, settings: cluster.spec.settings },
    placement: withAccessProblem(
      { ...cluster.placement, members: addressesOf(found), found },
      cluster.placement.accessProblem,
    ),
  };
}

/** Returns the stored facts about the servers of an idle cluster; undefined if it is not idle. */
export async function storedFacts(tx: ReadTx, id: string): Promise<FoundServers | undefined> {
  const cluster = await clusterById(tx, id);
  return cluster?.state === 'IDLE' ? cluster.placement.found : undefined;
}

/**
 * Stores the facts that the engine has found about the servers of an idle cluster. Has no effect if the stored facts are
 * no longer `before`, because the servers may have changed since they were inspected.
 */
export async function followFound(
  tx: Tx,
  id: string,
  { before, found }: { readonly before: FoundServers; readonly found: FoundServers },
): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster?.state !== 'IDLE' || !isDeepStrictEqual(cluster.placement.found, before)) return;
  await updateCluster(tx, asFound(cluster, found));
  const isChange = before.version !== found.version || !isDeepStrictEqual(before.members, found.members);
  if (isChange) await recordOn(tx, cluster, 'CLUSTER_UPDATE_COMPLETED', system);
}

/**
 * Whether callers have set process arguments or a feature compatibility version that the servers of an idle cluster do
 * not have. Ignores values that the servers have refused, unless `isRetry` is true.
 */
export async function isBehindSettings(tx: ReadTx, id: string, isRetry: boolean): Promise<boolean> {
  const cluster = await clusterById(tx, id);
  const found = cluster?.placement.found;
  if (found === undefined || cluster?.state !== 'IDLE') return false;
  const { refusedArguments = [] } = cluster.placement;
  const refused = new Set(isRetry ? [] : refusedArguments.map(({ name }) => name));
  return hasOtherArguments(cluster, found, refused) || hasOtherCompatibility(cluster, found, refused);
}

/** Applies the process arguments and the feature compatibility version to an idle cluster again. */
export async function applySettingsAgain(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster?.state === 'IDLE') await enqueueWork(tx, APPLY, cluster, {}, { unlessWaiting: true });
}
