import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';

/** Minimum size of a large definition, in bytes. Smaller definitions do not count. */
const LARGE_BYTES = 16_384;
/** Maximum size of all large definitions of a cluster, in bytes. They stay in memory while the cluster is open. */
const MAX_BYTES = 67_108_864;

/**
 * Throws if the definitions of all collections and indexes of a cluster would be too large. A definition contains, for
 * example, a validator or a partial filter. `replaced` is a definition that is replaced by one in `added`, and does not
 * count.
 */
export function checkDefinitions(
  store: ClusterStore,
  added: readonly RawDocument[],
  replaced?: RawDocument,
): void {
  const large = (sum: number, { length }: RawDocument) => (length < LARGE_BYTES ? sum : sum + length);
  const more = added.reduce(large, 0);
  if (more === 0) return;
  const collections = store.databases().flatMap((database) => store.collections(database));
  const present = collections.flatMap(({ options, indexes }) => [
    options,
    ...indexes.map(({ spec }) => spec),
  ]);
  const kept = present.filter((definition) => definition !== replaced);
  if (kept.reduce(large, more) <= MAX_BYTES) return;
  throw new ServerError(
    'ExceededMemoryLimit',
    `the definitions of collections and indexes would have more than ${MAX_BYTES} bytes`,
  );
}
