import type { Engine } from '@portolan/engine/interface/calls';
import { ID_PATTERN } from '@portolan/foundation/ids';
import { MaxKey, MinKey } from 'bson';
import { on, system } from '../../events/index.ts';
import { codeOf, PASSING } from '../../replication/error-codes.ts';
import type { Tx } from '../../store/index.ts';
import { step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { type ClusterModel, clusterById, findCluster, setNameOf } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { PLACE, type PlaceWork, requestPlacement } from './changes.ts';
import { namespacesOf, type ZoneMapping } from './rows.ts';
import { nameOf, validMappings } from './rules.ts';
import type { ManagedNamespace } from './schema.ts';

type Command = Readonly<Record<string, unknown>>;
/** Runs a command in the database `admin`. */
type Run = (command: Command) => Promise<Command>;

/**
 * Returns a function that sends a command to a cluster and returns the reply. The function throws if the command fails
 * for a reason that a retry may remove.
 */
function runOn(engine: Pick<Engine, 'run'>, clusterId: string, signal: AbortSignal): Run {
  return async (command) => {
    signal.throwIfAborted();
    const reply = await engine.run(clusterId, { ...command, $db: 'admin' });
    if (reply.ok !== 1 && PASSING.has(codeOf(reply))) throw new Error(String(reply.errmsg));
    return reply;
  };
}

/** Runs commands until one of them fails. Returns the message of its error. */
async function firstError(run: Run, commands: readonly Command[]): Promise<string | undefined> {
  for (const command of commands) {
    const { ok, errmsg } = await run(command);
    if (ok !== 1) return String(errmsg);
  }
  return undefined;
}

/** Returns the zone of each shard. A zone has the id of its entry in the cluster as its name. */
function zonesOfShards({ spec, placement }: ClusterModel): ReadonlyMap<string, string> {
  const zones = spec.zones.flatMap(({ id, numShards }) => Array.from({ length: numShards }, () => id));
  return new Map(zones.map((zone, shard) => [setNameOf(placement, shard), zone]));
}

async function addToZones(zones: ReadonlyMap<string, string>, run: Run): Promise<void> {
  const commands = [...zones].map(([shard, zone]) => ({ addShardToZone: shard, zone }));
  const error = await firstError(run, commands);
  if (error !== undefined) throw new Error(error);
}

interface Shard {
  readonly _id: string;
  readonly tags?: readonly string[];
}

/**
 * Matches the names of the zones that the service creates: these names are ids. Users may create further zones with
 * other names.
 */
const zoneId = new RegExp(ID_PATTERN);

/**
 * Removes shards from zones in which they no longer belong. Shards are numbered in the order of the zones. If a zone
 * gets more or fewer shards, the later shards therefore belong to other zones. Returns whether a shard was removed from
 * a zone.
 */
async function removeFromOtherZones(zones: ReadonlyMap<string, string>, run: Run): Promise<boolean> {
  const { ok, errmsg, shards } = await run({ listShards: 1 });
  if (ok !== 1) throw new Error(String(errmsg));
  const removals = (shards as readonly Shard[]).flatMap(({ _id: shard, tags = [] }) => {
    const others = tags.filter((tag) => zoneId.test(tag) && tag !== zones.get(shard));
    return others.map((zone) => ({ removeShardFromZone: shard, zone }));
  });
  // Ignore failures. A removal fails if a collection that could not be placed still has ranges in a deleted zone.
  for (const removal of removals) await run(removal);
  return removals.length > 0;
}

const keyOf = ({ customShardKey, isCustomShardKeyHashed }: ManagedNamespace) => ({
  location: 1,
  [customShardKey]: isCustomShardKeyHashed ? 'hashed' : 1,
});

const shardCollection = (namespace: ManagedNamespace): Command => ({
  shardCollection: nameOf(namespace),
  key: keyOf(namespace),
  unique: namespace.isShardKeyUnique ?? false,
});

/**
 * Returns the command that assigns the range of each mapped location to a zone. The command removes the ranges of other
 * locations.
 */
const setRanges = (namespace: ManagedNamespace, mappings: readonly ZoneMapping[]): Command => ({
  setZoneKeyRanges: nameOf(namespace),
  ranges: mappings.map(({ location, zoneId: zone }) => ({
    min: { location, [namespace.customShardKey]: new MinKey() },
    max: { location, [namespace.customShardKey]: new MaxKey() },
    zone,
  })),
});

/** The names of the collections that could not be placed, with the reasons. */
type Failures = Readonly<Record<string, string>>;

/**
 * Shards the collections, and assigns the range of each mapped location to a zone. The command that sets the ranges
 * moves documents only from shards outside the zone of their range. A shard can leave its former zone only afterwards,
 * when no range needs the shard any more. If a shard has left a zone, the ranges are set again, to move the documents
 * that the shard still has.
 */
async function placeOn(
  cluster: ClusterModel,
  namespaces: readonly ManagedNamespace[],
  mappings: readonly ZoneMapping[],
  run: Run,
): Promise<Failures> {
  const failures = new Map<string, string>();
  const tryOn = async (namespace: ManagedNamespace, commands: readonly Command[]) => {
    const error = await firstError(run, commands);
    if (error !== undefined) failures.set(nameOf(namespace), error);
  };
  const zones = zonesOfShards(cluster);
  await addToZones(zones, run);
  for (const namespace of namespaces)
    await tryOn(namespace, [shardCollection(namespace), setRanges(namespace, mappings)]);
  if (!(await removeFromOtherZones(zones, run))) return Object.fromEntries(failures);
  for (const namespace of namespaces.filter((each) => !failures.has(nameOf(each))))
    await tryOn(namespace, [setRanges(namespace, mappings)]);
  return Object.fromEntries(failures);
}

/**
 * The step returns errors of commands on collections instead of throwing them, since a retry would not help. If a
 * command gets no reply, or if the cluster is restarting, the step throws and runs again.
 */
const placeAll = step({
  name: 'place',
  async run({ services, store, payload, signal }: TaskContext<Services, PlaceWork>): Promise<Failures> {
    const found = await store.read(async (tx) => {
      const cluster = await clusterById(tx, payload.clusterId);
      if (!cluster || cluster.state === 'DELETING' || cluster.paused) return undefined;
      const namespaces = await namespacesOf(tx, cluster.id);
      return { cluster, namespaces, mappings: await validMappings(tx, cluster) };
    });
    if (found === undefined) return {};
    const { cluster, namespaces, mappings } = found;
    const run = runOn(services.engines.at(cluster.host), cluster.id, signal);
    // Ignore a failure. If the collection was dropped or never sharded, it has no ranges, and the command fails.
    if (payload.removed) await run(setRanges(payload.removed, []));
    return namespaces.length === 0 ? {} : placeOn(cluster, namespaces, mappings, run);
  },
  async commit(tx, { payload }, failures) {
    const cluster = await clusterById(tx, payload.clusterId);
    if (cluster) await recordFailures(tx, cluster, failures);
  },
});

async function recordFailures(tx: Tx, { groupId, name }: ClusterModel, failures: Failures): Promise<void> {
  for (const [namespace, reason] of Object.entries(failures))
    await recordInProject(tx, groupId, {
      type: 'MANAGED_NAMESPACE_FAILED',
      actor: system,
      clusterName: name,
      details: { reason: `${namespace}: ${reason}` },
    });
}

/** Shards the managed collections of a cluster, and assigns their ranges to zones. */
export const placeNamespaces: TaskKind<PlaceWork, Services> = {
  ...PLACE,
  steps: [placeAll],
  async onFailed(tx, { payload }, _, reason) {
    const cluster = await clusterById(tx, payload.clusterId);
    if (!cluster) return;
    const names = (await namespacesOf(tx, cluster.id)).map(nameOf);
    await recordFailures(tx, cluster, Object.fromEntries(names.map((name) => [name, reason])));
  },
};

/** Places the collections again after an update of a cluster, since new shards need a zone. */
export const followUpdates = on(['CLUSTER_UPDATE_COMPLETED'], async (tx, { groupId, clusterName }) => {
  if (groupId === undefined || clusterName === undefined) return;
  const cluster = await findCluster(tx, groupId, clusterName);
  if (cluster && (await namespacesOf(tx, cluster.id)).length > 0) await requestPlacement(tx, cluster);
});
