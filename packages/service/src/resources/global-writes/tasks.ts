import type { Engine } from '@portolan/engine/interface/calls';
import { MaxKey, MinKey } from 'bson';
import { on, system } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { type ClusterModel, clusterById, findCluster, setNameOf } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { PLACE, type PlaceWork, requestPlacement } from './changes.ts';
import { namespacesOf, type ZoneMapping } from './rows.ts';
import { validMappings } from './rules.ts';
import type { ManagedNamespace } from './schema.ts';

type Command = Readonly<Record<string, unknown>>;
type Run = (command: Command) => Promise<void>;

/** Returns a function that runs a command on a cluster, and throws if the command fails. */
function runOn(engine: Engine, clusterId: string): Run {
  return async (command) => {
    const reply = await engine.run(clusterId, { ...command, $db: 'admin' });
    if (reply.ok !== 1) throw new Error(String(reply.errmsg));
  };
}

/** Assigns each shard to its zone. A zone has the id of its entry in the cluster as its name. */
async function assignShards({ spec, placement }: ClusterModel, run: Run): Promise<void> {
  const zones = spec.zones.flatMap(({ id, numShards }) => Array.from({ length: numShards }, () => id));
  for (const [shard, zone] of zones.entries())
    await run({ addShardToZone: setNameOf(placement, shard), zone });
}

const keyOf = ({ customShardKey, isCustomShardKeyHashed }: ManagedNamespace) => ({
  location: 1,
  [customShardKey]: isCustomShardKeyHashed ? 'hashed' : 1,
});

/** Shards a collection, and assigns the range of each mapped location to its zone. */
async function place(namespace: ManagedNamespace, mappings: readonly ZoneMapping[], run: Run): Promise<void> {
  const { db, collection, customShardKey, isShardKeyUnique = false } = namespace;
  const ns = `${db}.${collection}`;
  await run({ shardCollection: ns, key: keyOf(namespace), unique: isShardKeyUnique });
  await clearRanges(namespace, run);
  for (const { location, zoneId } of mappings)
    await run({
      updateZoneKeyRange: ns,
      min: { location, [customShardKey]: new MinKey() },
      max: { location, [customShardKey]: new MaxKey() },
      zone: zoneId,
    });
}

/** Removes the ranges of all zones from a collection. */
async function clearRanges({ db, collection, customShardKey }: ManagedNamespace, run: Run): Promise<void> {
  const [min, max] = [new MinKey(), new MaxKey()];
  await run({
    updateZoneKeyRange: `${db}.${collection}`,
    min: { location: min, [customShardKey]: min },
    max: { location: max, [customShardKey]: max },
    zone: null,
  });
}

/** The names of the collections that could not be placed, with the reasons. */
type Failures = Readonly<Record<string, string>>;

const placeAll = step({
  name: 'place',
  async run({ services, store, payload }: TaskContext<Services, PlaceWork>): Promise<Failures> {
    const found = await store.read(async (tx) => {
      const cluster = await clusterById(tx, payload.clusterId);
      if (!cluster || cluster.state === 'DELETING' || cluster.paused) return undefined;
      const namespaces = await namespacesOf(tx, cluster.id);
      return { cluster, namespaces, mappings: await validMappings(tx, cluster) };
    });
    if (found === undefined) return {};
    const { cluster, namespaces, mappings } = found;
    const run = runOn(services.engines.at(cluster.host), cluster.id);
    // If the collection was dropped or never sharded, it has no ranges.
    if (payload.removed) await clearRanges(payload.removed, run).catch(() => undefined);
    if (namespaces.length > 0) await assignShards(cluster, run);
    const failures: Record<string, string> = {};
    for (const namespace of namespaces)
      await place(namespace, mappings, run).catch((error: unknown) => {
        const { db, collection } = namespace;
        failures[`${db}.${collection}`] = error instanceof Error ? error.message : String(error);
      });
    return failures;
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
export const placeNamespaces: TaskKind<PlaceWork, Services> = { ...PLACE, steps: [placeAll] };

/** New shards of an updated cluster need a zone. */
export const followUpdates = on(['CLUSTER_UPDATE_COMPLETED'], async (tx, { groupId, clusterName }) => {
  if (groupId === undefined || clusterName === undefined) return;
  const cluster = await findCluster(tx, groupId, clusterName);
  if (cluster && (await namespacesOf(tx, cluster.id)).length > 0) await requestPlacement(tx, cluster);
});
