import { describe } from '../../bson/describe.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configDocument } from '../shared/config-database.ts';

/**
 * Throws for a unique index that shards cannot enforce independently of each other. The key of the index must
 * start with the shard key, so that duplicates are on the same shard.
 */
export function checkUnique(cluster: ClusterContext, namespace: string, index: RawDocument): void {
  if (cluster.topology.shardNames === undefined || index.bool('unique') !== true) return;
  const pattern = configDocument(cluster.store, 'collections', namespace)?.document('key');
  const key = index.document('key');
  if (pattern === undefined || key === undefined) return;
  if (startsWithFields(key, pattern)) return;
  throw new ServerError(
    'CannotCreateIndex',
    `cannot create unique index over ${describe(key.toValue())} with shard key pattern ${describe(pattern.toValue())}`,
  );
}

/** Whether the key of an index starts with the fields of a shard key. */
export function startsWithFields(key: RawDocument, pattern: RawDocument): boolean {
  const names = [...key].map(({ name }) => name);
  return [...pattern].every(({ name }, i) => names[i] === name);
}
