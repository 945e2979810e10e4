import { isDeepStrictEqual } from 'node:util';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext, ClusterRandom } from '../context/cluster.ts';
import type { Topology } from '../context/topology.ts';
import { configDocuments, fieldsOf, removeConfig, saveConfig } from '../shared/config-database.ts';
import { addressOf, membersOfShard } from '../shared/members.ts';

/** A shard as `listShards` and `config.shards` tell of it. */
export interface Shard {
  readonly _id: string;
  /** `replica set/host:port,host:port` */
  readonly host: string;
  readonly state: 1;
}

type Shards = Pick<Topology, 'shardNames' | 'members'>;

export function shardsOf({ shardNames = [], members }: Shards): Shard[] {
  return shardNames.map((name, shard) => ({
    _id: name,
    host: `${name}/${membersOfShard(members, shard).map(addressOf).join(',')}`,
    state: 1,
  }));
}

/** Throws when the name, or the name and hosts, are not those of a shard. */
export function shardNamed(name: string, topology: Shards): Shard {
  const shard = shardsOf(topology).find(({ _id, host }) => _id === name || host === name);
  if (shard === undefined) throw new ServerError('ShardNotFound', `Shard ${name} does not exist`);
  return shard;
}

type Recorded = Pick<ClusterContext, 'store' | 'topology' | 'random'>;

/** Brings `config.shards` to the shards that there are; zones stay with those that stay. */
export function recordShards({ store, topology, random }: Recorded): void {
  recordVersion(store, random);
  const wanted = shardsOf(topology);
  const kept = configDocuments(store, 'shards');
  const known = kept.map((document) => ({ _id: nameOf(document), host: document.string('host') }));
  if (
    isDeepStrictEqual(
      known,
      wanted.map(({ _id, host }) => ({ _id, host })),
    )
  )
    return;
  const successors = successorsOf(known, wanted);
  store.write(() => {
    for (const { _id, ...shard } of wanted) {
      const before = kept.find((document) => (successors.get(nameOf(document)) ?? nameOf(document)) === _id);
      saveConfig(store, 'shards', { ...(before === undefined ? {} : fieldsOf(before)), ...shard, _id });
    }
    for (const document of kept) {
      const id = document.get('_id');
      if (id !== undefined && !wanted.some(({ _id }) => _id === nameOf(document)))
        removeConfig(store, 'shards', id);
    }
    if (successors.size > 0) moveToSuccessors(store, successors);
  });
}

const nameOf = (shard: RawDocument): string => shard.string('_id') ?? '';

type Successors = ReadonlyMap<string, string>;

/** The shards of another cluster whose data was restored here, and who has their parts now, each in its place. */
function successorsOf(known: readonly { _id: string }[], wanted: readonly Shard[]): Successors {
  const isOther =
    known.length === wanted.length && known.every(({ _id }) => wanted.every((one) => one._id !== _id));
  return new Map(isOther ? known.map(({ _id }, place) => [_id, wanted[place]?._id ?? '']) : []);
}

function moveToSuccessors(store: ClusterStore, successors: Successors): void {
  for (const database of configDocuments(store, 'databases')) {
    const primary = successors.get(database.string('primary') ?? '');
    if (primary !== undefined) saveConfig(store, 'databases', { ...fieldsOf(database), primary });
  }
  for (const chunk of configDocuments(store, 'chunks')) {
    const shard = successors.get(chunk.string('shard') ?? '');
    const history = [{ validAfter: chunk.get('onCurrentShardSince'), shard }];
    if (shard !== undefined) saveConfig(store, 'chunks', { ...fieldsOf(chunk), shard, history });
  }
}

/** By `config.version` tools know that a deployment is sharded. */
function recordVersion(store: ClusterStore, { newId }: ClusterRandom): void {
  if (configDocuments(store, 'version').length > 0) return;
  store.write(() => saveConfig(store, 'version', { _id: 1, clusterId: newId() }));
}
