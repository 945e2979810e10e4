import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import type { RawDocument } from '../bson/raw.ts';
import { point } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import { indexFilters } from './index-filters.ts';

/** Types whose filter meaning is not plain equality, or that have more than one key. */
const ambiguous: ReadonlySet<number> = new Set([
  bsonTypes.object,
  bsonTypes.array,
  bsonTypes.regex,
  bsonTypes.undefined,
  bsonTypes.null,
]);

/**
 * The access path for a filter that is a single `_id` equality. Every document found this way matches, so nothing has
 * to be compiled or planned. Undefined for any other filter.
 */
export function idLookupPath(
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
