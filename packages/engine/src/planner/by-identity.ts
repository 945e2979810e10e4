import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import type { RawDocument } from '../bson/raw.ts';
import { point } from '../language/filter/index.ts';
import type { AccessPath } from '../storage/access.ts';
import type { Collection } from '../storage/collection.ts';
import { indexFilters } from './index-filters.ts';

/** Types that mean something else in a filter than the value itself, or that more than one key stands for. */
const ambiguous: ReadonlySet<number> = new Set([
  bsonTypes.object,
  bsonTypes.array,
  bsonTypes.regex,
  bsonTypes.undefined,
  bsonTypes.null,
]);

/**
 * The way to the one document that a filter of nothing but a value of `_id` means: all that is found there matches, so
 * that nothing has to be compiled or chosen. Undefined where there is more to it.
 */
export function pathToIdentity(
  filter: RawDocument | undefined,
  collection: Collection,
  comparison: Comparison | undefined,
): AccessPath | undefined {
  const id = filter?.first();
  if (filter === undefined || id === undefined || filter.after(id) !== undefined) return undefined;
  if (id.name !== '_id' || ambiguous.has(id.type) || comparison !== undefined) return undefined;
  if (!collection.identified || !collection.indexed || indexFilters(collection).size > 0) return undefined;
  return { kind: 'byId', intervals: [point(id)], reverse: false };
}
