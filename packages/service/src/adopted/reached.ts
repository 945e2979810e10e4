import type { FoundServers } from '@portolan/engine/interface/engine';
import type { MongoClient } from 'mongodb';
import { isRefusedLogin } from './reasons.ts';

/**
 * Returns the clients that have connected to members. Throws if none has, or if a member of a shard has refused the login:
 * each shard has its own users, and a change must reach all shards.
 */
export function reachedClients(
  connections: readonly PromiseSettledResult<MongoClient>[],
  { topology }: Pick<FoundServers, 'topology'>,
): readonly MongoClient[] {
  const clients = connections.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const errors = connections.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const refused = topology === 'SHARDED' ? errors.find(isRefusedLogin) : undefined;
  if (refused !== undefined || (clients.length === 0 && errors.length > 0)) throw refused ?? errors[0];
  return clients;
}

/** Returns the ids of the members of the shard to which a member belongs. */
export function shardOf({ members }: Pick<FoundServers, 'members'>, id: string): readonly string[] {
  const shard = members.find((member) => member.id === id)?.shard;
  return members.filter((member) => member.shard === shard).map((member) => member.id);
}
