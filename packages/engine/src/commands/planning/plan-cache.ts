import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { planShape, planShapeHash, type QueryParts } from '../../planner/explain-shape.ts';
import type { Plan } from '../../planner/plan.ts';
import { lacksDocuments, planCacheKey, plannedIndexes } from '../../planner/plan-cache-key.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { environmentOf } from '../shared/environment.ts';
import { addressOf } from '../shared/members.ts';
import { describePlan, visit } from './explain-plan.ts';

interface Entry {
  readonly query: QueryParts;
  readonly shape: string;
  readonly key: string;
  readonly created: number;
  readonly restricted: boolean;
  /** All entries of the collection to which this entry belongs. */
  readonly among: Entries;
  /** Number of queries with this shape. */
  uses: number;
}

/** The entries of one collection by key. They are discarded when the indexes of the collection change. */
interface Entries {
  readonly indexes: string;
  readonly byKey: BoundedCache<string, Entry>;
}

/** Maximum number of entries per collection. At the limit, the least recently used entry is removed. */
const MAX_ENTRIES = 1_000;
/** Maximum size of a cached query, in bytes. Each entry contains a query. */
const MAX_QUERY_BYTES = 16 << 10;
/** Maximum memory of the entries of all collections of a thread, in bytes. */
const MAX_BYTES = 16 << 20;
/** Estimated memory of an entry, in addition to its query and its key. */
const ENTRY_BYTES = 512;

const plansByCollection = new WeakMap<Collection, Entries>();

/** The entries of all collections. They do not refer to collections, so that closed clusters can be freed. */
const allEntries = new BoundedCache<Entry, Entry>({
  weight: MAX_BYTES,
  weigh: ({ query, key }) => ENTRY_BYTES + sizeOf(query) + key.length,
  onEvict: ({ among, key }) => among.byKey.delete(key),
});

function sizeOf({ filter, sort, projection, collation }: QueryParts): number {
  return [filter, sort, projection, collation].reduce((sum, part) => sum + (part?.length ?? 0), 0);
}

/** Records a query for which several indexes were candidates. */
export function cachePlan(collection: Collection, query: QueryParts, plan: Plan, now: number): void {
  const { rejected = [], restricted = false } = plan;
  if (rejected.length === 0 || sizeOf(query) > MAX_QUERY_BYTES) return;
  const among = entriesOf(collection);
  const shape = planShape(query);
  const entry = among.byKey.of(keyOf(shape, plan), (key) => ({
    query: detached(query),
    shape,
    key,
    created: now,
    restricted,
    among,
    uses: 0,
  }));
  entry.uses++;
  allEntries.set(entry, entry);
}

/** The key depends on which partial and sparse indexes serve the query: this depends on the values in the query. */
function keyOf(shape: string, { path, rejected = [] }: Plan): string {
  const names = [path, ...rejected.map((candidate) => candidate.path)].flatMap(partialIn);
  return [shape, ...new Set(names.toSorted())].join('|');
}

function partialIn(path: AccessPath): string[] {
  if (path.kind === 'index') return lacksDocuments(path.index) ? [path.index.name] : [];
  return path.kind === 'merge' ? path.paths.flatMap(partialIn) : [];
}

function detached({ filter, sort, projection, collation }: QueryParts): QueryParts {
  return {
    filter: filter?.compact(),
    sort: sort?.compact(),
    projection: projection?.compact(),
    collation: collation?.compact(),
  };
}

function entriesOf(collection: Collection): Entries {
  const indexes = collection.indexes.map(({ spec }) => spec.string('name')).join('\n');
  const known = plansByCollection.get(collection);
  if (known?.indexes === indexes) return known;
  clearPlans(collection);
  const byKey = new BoundedCache<string, Entry>({
    entries: MAX_ENTRIES,
    // A key needs no other limit: it is the shape of a query of at most `MAX_QUERY_BYTES` bytes.
    longestKey: Number.POSITIVE_INFINITY,
    onEvict: (entry) => allEntries.delete(entry),
  });
  const created = { indexes, byKey };
  plansByCollection.set(collection, created);
  return created;
}

export function clearPlans(collection: Collection): void {
  for (const entry of plansByCollection.get(collection)?.byKey.values() ?? []) allEntries.delete(entry);
  plansByCollection.delete(collection);
}

/** Removes the entries of a query shape. */
export function clearPlan(collection: Collection, query: QueryParts): void {
  const { byKey } = entriesOf(collection);
  const wanted = planShape(query);
  for (const entry of [...byKey.values()].filter(({ shape }) => shape === wanted)) {
    byKey.delete(entry.key);
    allEntries.delete(entry);
  }
}

/** Returns the documents of `$planCacheStats`. */
export function describePlans(collection: Collection, cluster: ClusterContext): RawDocument[] {
  return [...entriesOf(collection).byKey.values()].map((entry) => describe(entry, collection, cluster));
}

function describe(
  { query, created, restricted, uses }: Entry,
  collection: Collection,
  cluster: ClusterContext,
): RawDocument {
  const { filter = RawDocument.empty, sort = RawDocument.empty, projection = RawDocument.empty } = query;
  const planned = visit(collection, { ...query, environment: environmentOf(undefined, cluster) }, false);
  const shape = planShapeHash(query);
  const primary = cluster.topology.members.find(({ state }) => state === 'PRIMARY');
  return new RawDocument(
    encodeDocument({
      version: '1',
      queryHash: shape,
      planCacheShapeHash: shape,
      planCacheKey: planCacheKey(shape, filter, collection, plannedIndexes(planned)),
      isActive: uses > 1,
      works: BigInt(uses),
      timeOfCreation: new Date(created),
      createdFromQuery: { query: filter, sort, projection },
      cachedPlan: describePlan(planned.top),
      creationExecStats: [],
      candidatePlanScores: [],
      indexFilterSet: restricted,
      estimatedSizeBytes: BigInt(filter.length + sort.length + projection.length),
      host: primary === undefined ? '' : addressOf(primary),
    }),
  );
}
