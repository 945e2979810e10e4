import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { RawDocument } from '../../bson/raw.ts';
import { releasing } from '../../bson/turns.ts';
import type { Filter } from './filter.ts';

/** Maximum memory of all cached filters of a thread. */
const MAX_BYTES = 134_217_728;
/** Estimated memory of a compiled filter for each byte of its definition. */
const BYTES_PER_BYTE = 128;

const compiled = new BoundedCache<RawDocument, Filter>({
  weight: MAX_BYTES,
  weigh: (_, { length }) => length * BYTES_PER_BYTE,
});

/**
 * Returns the compiled filter of a definition that is stored with a collection or an index, from a cache if possible.
 * Without a limit, validators and partial indexes of 16 MB would stay in memory in their compiled form. The filter must
 * not refer to its cluster, because the cache outlives clusters and transactions.
 */
export function compiledFilter(definition: RawDocument, compile: () => Filter): Filter {
  return compiled.of(definition, () => releasing(compile));
}
