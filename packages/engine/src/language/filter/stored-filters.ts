import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { RawDocument } from '../../bson/raw.ts';
import { releasing } from '../../bson/turns.ts';
import type { Filter } from './filter.ts';

/** Maximum memory of all cached filters of a thread. */
const MAX_BYTES = 134_217_728;
/** Estimated memory of a compiled filter for each byte of its definition. */
const BYTES_PER_BYTE = 128;

/** The definition of a filter that is stored with a collection or an index. */
export interface StoredFilter {
  readonly filter: RawDocument;
  compile(): Filter;
}

const compiled = new BoundedCache<StoredFilter, Filter>({
  weight: MAX_BYTES,
  weigh: (_, { filter }) => filter.length * BYTES_PER_BYTE,
});

/**
 * Returns the compiled filter, from a cache if possible. Without a limit, validators and partial indexes of 16 MB would
 * stay in memory in their compiled form.
 */
export function compiledFilter(stored: StoredFilter): Filter {
  return compiled.of(stored, ({ compile }) => releasing(compile));
}
