import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Element } from '../bson/value.ts';
import { point } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import { indexFilters } from './index-filters.ts';

/** The types of values that a filter does not compare by plain equality, or that can have several keys. */
const ambiguous: ReadonlySet<number> = new Set([
  bsonTypes.object,
  bsonTypes.array,
  bsonTypes.regex,
  bsonTypes.undefined,
  bsonTypes.null,
]);

/** Returns the condition on `_id` if a filter has no other condition. */
export function onlyId(filter: RawDocument | undefined): Element | undefined {
  const id = filter?.first();
  return id?.name === '_id' && filter?.after(id) === undefined ? id : undefined;
}

/**
 * Returns the path for a filter that is only an equality on `_id`, or undefined for any other filter. Every document on
 * the path matches, so the filter need not be compiled and the query need not be planned.
 */
export function idLookupPath(
  filter: RawDocument | undefined,
  collection: Collection,
  comparison: Comparison | undefined,
): AccessPath | undefined {
  const id = onlyId(filter);
  if (id === undefined || ambiguous.has(id.type) || comparison !== undefined) return undefined;
  if (!collection.identified || !collection.indexed || indexFilters(collection).size > 0) return undefined;
  return { kind: 'byId', intervals: [point(id)], reverse: false };
}
