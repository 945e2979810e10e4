import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';
import type { Collection } from '../storage/collection/collection.ts';
import { keysEqual } from '../storage/index-specs/existing.ts';

/** The indexes that queries of one shape may use, kept in memory until the cluster closes. */
export interface IndexFilter {
  readonly query: RawDocument;
  readonly sort: RawDocument;
  readonly projection: RawDocument;
  readonly collation?: RawDocument;
  /** The names or key patterns of the indexes. */
  readonly indexes: readonly Value[];
}

/** Index filters by query shape. */
type Filters = Map<string, IndexFilter>;

const filtersOf = new WeakMap<Collection, Filters>();
const none: ReadonlyMap<string, IndexFilter> = new Map();

export function indexFilters(collection: Collection): ReadonlyMap<string, IndexFilter> {
  return filtersOf.get(collection) ?? none;
}

export function setIndexFilter(collection: Collection, shape: string, filter: IndexFilter): void {
  const filters = filtersOf.get(collection);
  if (filters === undefined) filtersOf.set(collection, new Map([[shape, filter]]));
  else filters.set(shape, filter);
}

/** Removes the filter of a shape. Without a shape, removes all filters. */
export function clearIndexFilters(collection: Collection, shape?: string): void {
  if (shape === undefined) filtersOf.delete(collection);
  else filtersOf.get(collection)?.delete(shape);
}

/** The properties by which an index filter selects an index. */
export interface IndexIdentity {
  readonly name: string;
  readonly key: RawDocument;
}

export function allows({ indexes }: Pick<IndexFilter, 'indexes'>, { name, key }: IndexIdentity): boolean {
  return indexes.some((index) => {
    if (index.type === bsonTypes.string) return textOf(index) === name;
    return index.type === bsonTypes.object && keysEqual(documentOf(index), key);
  });
}
