import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { planShape, planShapeHash, type QueryParts } from '../../planner/explain-shape.ts';
import type { Plan } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { environmentOf } from '../shared/environment.ts';
import { addressOf } from '../shared/members.ts';
import { describePlan, visit } from './explain-plan.ts';

interface Entry {
  readonly query: QueryParts;
  readonly created: number;
  readonly restricted: boolean;
  /** Number of queries with this shape. */
  uses: number;
}

/** The entries of one collection by query shape. They are discarded when the indexes of the collection change. */
interface Entries {
  readonly indexes: string;
  readonly byShape: BoundedCache<string, Entry>;
}

/** Maximum number of shapes per collection. At the limit, the least recently used shape is removed. */
const MAX_SHAPES = 1_000;
/** Longer queries are not cached. */
const MAX_QUERY_BYTES = 16 << 10;

const plansByCollection = new WeakMap<Collection, Entries>();

/** Records a query for which several indexes were candidates. */
export function cachePlan(
  collection: Collection,
  query: QueryParts,
  { rejected = [], restricted = false }: Plan,
  now: number,
): void {
  const { filter = RawDocument.empty, sort = RawDocument.empty, projection = RawDocument.empty } = query;
  if (rejected.length === 0 || filter.length + sort.length + projection.length > MAX_QUERY_BYTES) return;
  const { byShape } = entriesOf(collection);
  byShape.of(planShape(query), () => ({ query: detached(query), created: now, restricted, uses: 0 })).uses++;
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
  const created = { indexes, byShape: new BoundedCache<string, Entry>({ entries: MAX_SHAPES }) };
  plansByCollection.set(collection, created);
  return created;
}

export function clearPlans(collection: Collection): void {
  plansByCollection.delete(collection);
}

/** Removes the entry of a query shape. */
export function clearPlan(collection: Collection, query: QueryParts): void {
  entriesOf(collection).byShape.delete(planShape(query));
}

/** Returns the documents of `$planCacheStats`. */
export function describePlans(collection: Collection, cluster: ClusterContext): RawDocument[] {
  return [...entriesOf(collection).byShape.values()].map((entry) => describe(entry, collection, cluster));
}

function describe(
  { query, created, restricted, uses }: Entry,
  collection: Collection,
  cluster: ClusterContext,
): RawDocument {
  const { filter = RawDocument.empty, sort = RawDocument.empty, projection = RawDocument.empty } = query;
  const { top } = visit(collection, { ...query, environment: environmentOf(undefined, cluster) }, false);
  const shape = planShapeHash(query);
  const primary = cluster.topology.members.find(({ state }) => state === 'PRIMARY');
  return new RawDocument(
    encodeDocument({
      version: '1',
      queryHash: shape,
      planCacheShapeHash: shape,
      planCacheKey: shape,
      isActive: uses > 1,
      works: BigInt(uses),
      timeOfCreation: new Date(created),
      createdFromQuery: { query: filter, sort, projection },
      cachedPlan: describePlan(top),
      creationExecStats: [],
      candidatePlanScores: [],
      indexFilterSet: restricted,
      estimatedSizeBytes: BigInt(filter.length + sort.length + projection.length),
      host: primary === undefined ? '' : addressOf(primary),
    }),
  );
}
