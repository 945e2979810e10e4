import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';
import type { Collection } from '../storage/collection.ts';
import { keysEqual } from '../storage/index-specs/existing.ts';

/** Which indexes queries of one shape may use. It is forgotten when the cluster is closed. */
export interface IndexFilter {
  readonly query: RawDocument;
  readonly sort: RawDocument;
  readonly projection: RawDocument;
  readonly collation?: RawDocument;
  /** Names and keys. */
  readonly indexes: readonly Value[];
}

/** By shape. */
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

/** Without a shape: all of them. */
export function clearIndexFilters(collection: Collection, shape?: string): void {
  if (shape === undefined) filtersOf.delete(collection);
  else filtersOf.get(collection)?.delete(shape);
}

/** What of an index a filter names. */
export interface Named {
  readonly name: string;
  readonly key: RawDocument;
}

export function allows({ indexes }: Pick<IndexFilter, 'indexes'>, { name, key }: Named): boolean {
  return indexes.some((index) => {
    if (index.type === bsonTypes.string) return textOf(index) === name;
    return index.type === bsonTypes.object && keysEqual(documentOf(index), key);
  });
}
