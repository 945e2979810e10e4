import { bsonTypes } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
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

/** Maximum memory of the index filters of a cluster, in bytes. */
const MAX_BYTES = 16 << 20;
/** Estimated memory of a filter and of each of its indexes, in addition to their contents. */
const FILTER_BYTES = 512;
const INDEX_BYTES = 72;

function sizeOf(shape: string, { query, sort, projection, collation, indexes }: IndexFilter): number {
  const own = FILTER_BYTES + shape.length + query.length + sort.length + projection.length;
  const ofIndexes = indexes.reduce((sum, { start, end }) => sum + INDEX_BYTES + end - start, 0);
  return own + (collation?.length ?? 0) + ofIndexes;
}

/** Sets the filter of a shape. Throws if the filters of all collections of the cluster would need too much memory. */
export function setIndexFilter(
  collection: Collection,
  shape: string,
  filter: IndexFilter,
  store: Pick<ClusterStore, 'databases' | 'collections'>,
): void {
  const { query, sort, projection, collation } = filter;
  const set: IndexFilter = {
    query: query.compact(),
    sort: sort.compact(),
    projection: projection.compact(),
    ...(collation && { collation: collation.compact() }),
    indexes: filter.indexes,
  };
  let bytes = sizeOf(shape, set);
  const collections = store.databases().flatMap((database) => store.collections(database));
  for (const other of collections) {
    for (const [otherShape, one] of indexFilters(other)) {
      if (other !== collection || otherShape !== shape) bytes += sizeOf(otherShape, one);
    }
  }
  if (bytes > MAX_BYTES) {
    throw new ServerError(
      'ExceededMemoryLimit',
      `the index filters of the cluster would have more than ${MAX_BYTES} bytes`,
    );
  }
  const filters = filtersOf.get(collection);
  if (filters === undefined) filtersOf.set(collection, new Map([[shape, set]]));
  else filters.set(shape, set);
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
