import { isDeepStrictEqual } from 'node:util';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext, ClusterRandom } from '../context/cluster.ts';
import type { Topology } from '../context/topology.ts';
import { configDocuments, fieldsOf, removeConfig, saveConfig } from '../shared/config-database.ts';
import { addressOf, membersOfShard } from '../shared/members.ts';

/** A shard in the format of `listShards` and `config.shards`. */
export interface Shard {
  readonly _id: string;
  /** The members of the shard, in the form `replica set/host:port,host:port`. */
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

/**
 * Returns the shard whose name is `name`. `name` may also have the form `replica set/host:port,host:port`. Throws if
 * there is no such shard.
 */
export function shardNamed(name: string, topology: Shards): Shard {
  const shard = shardsOf(topology).find(({ _id, host }) => _id === name || host === name);
  if (shard === undefined) throw new ServerError('ShardNotFound', `Shard ${name} does not exist`);
  return shard;
}

type ShardRecordContext = Pick<ClusterContext, 'store' | 'topology' | 'random'>;

/** Updates `config.shards` to the current shards. Shards that remain keep their zones. */
export function recordShards({ store, topology, random }: ShardRecordContext): void {
  recordVersion(store, random);
  const wanted = shardsOf(topology);
  const stored = configDocuments(store, 'shards');
  const known = stored.map((document) => ({ _id: nameOf(document), host: document.string('host') }));
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
      const before = stored.find(
        (document) => (successors.get(nameOf(document)) ?? nameOf(document)) === _id,
      );
      saveConfig(store, 'shards', { ...(before === undefined ? {} : fieldsOf(before)), ...shard, _id });
    }
    for (const document of stored) {
      const id = document.get('_id');
      if (id !== undefined && !wanted.some(({ _id }) => _id === nameOf(document)))
        removeConfig(store, 'shards', id);
    }
    if (successors.size > 0) moveToSuccessors(store, successors);
  });
}

const nameOf = (shard: RawDocument): string => shard.string('_id') ?? '';

type Successors = ReadonlyMap<string, string>;

/**
 * Maps the shards of a restored cluster to the shards of this cluster with the same positions. The map is
 * empty if the number of shards differs, or if a name occurs in both clusters.
 */
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

/** Records `config.version`, by which tools recognize a sharded deployment. */
function recordVersion(store: ClusterStore, { newId }: ClusterRandom): void {
  if (configDocuments(store, 'version').length > 0) return;
  store.write(() => saveConfig(store, 'version', { _id: 1, clusterId: newId() }));
}
