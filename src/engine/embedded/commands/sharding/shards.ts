import { isDeepStrictEqual } from 'node:util';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext, ClusterRandom } from '../context/cluster.ts';
import type { ClusterMember, Topology } from '../context/topology.ts';
import {
  configDocument,
  configDocuments,
  fieldsOf,
  removeConfig,
  saveConfig,
} from '../shared/config-database.ts';
import { membersOfShard } from '../shared/members.ts';

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

function addressOf({ host, port }: ClusterMember): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
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
  const known = kept.map((document) => ({ _id: document.string('_id'), host: document.string('host') }));
  if (
    isDeepStrictEqual(
      known,
      wanted.map(({ _id, host }) => ({ _id, host })),
    )
  )
    return;
  store.write(() => {
    for (const document of kept) {
      const id = document.get('_id');
      if (id !== undefined && !wanted.some(({ _id }) => _id === document.string('_id'))) {
        removeConfig(store, 'shards', id);
      }
    }
    for (const shard of wanted) {
      const before = configDocument(store, 'shards', shard._id);
      saveConfig(store, 'shards', { ...(before === undefined ? {} : fieldsOf(before)), ...shard });
    }
  });
}

/** By `config.version` tools know that a deployment is sharded. */
function recordVersion(store: ClusterStore, { newId }: ClusterRandom): void {
  if (configDocuments(store, 'version').length > 0) return;
  store.write(() => saveConfig(store, 'version', { _id: 1, clusterId: newId() }));
}
