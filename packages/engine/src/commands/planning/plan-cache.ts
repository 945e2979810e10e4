import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { planShapeHash, shapeOf } from '../../planner/explain-shape.ts';
import type { Plan } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { environmentOf } from '../shared/environment.ts';
import { addressOf } from '../shared/members.ts';
import { describePlan, visit } from './explain-plan.ts';

/** The parts of a query that determine its plan. */
export interface PlannedQuery {
  readonly filter?: RawDocument | undefined;
  readonly sort?: RawDocument | undefined;
  readonly projection?: RawDocument | undefined;
  readonly collation?: RawDocument | undefined;
}

interface Entry {
  readonly query: PlannedQuery;
  readonly created: number;
  readonly restricted: boolean;
  /** Number of queries of this shape. */
  uses: number;
}

/** The entries of one collection by shape; discarded when its indexes change. */
interface Entries {
  readonly indexes: string;
  readonly byShape: BoundedCache<string, Entry>;
}

/** Limit per collection; the least recently used shape is evicted. */
const MAX_SHAPES = 1_000;
/** Longer queries are not cached. */
const MAX_QUERY_BYTES = 16 << 10;

const plansByCollection = new WeakMap<Collection, Entries>();

/** Records a query for which several indexes were candidates. */
export function cachePlan(
  collection: Collection,
  query: PlannedQuery,
  { rejected = [], restricted = false }: Plan,
  now: number,
): void {
  const { filter = RawDocument.empty, sort = RawDocument.empty, projection = RawDocument.empty } = query;
  if (rejected.length === 0 || filter.length + sort.length + projection.length > MAX_QUERY_BYTES) return;
  const { byShape } = entriesOf(collection);
  byShape.of(shapeIn(query), () => ({ query: detached(query), created: now, restricted, uses: 0 })).uses++;
}

function shapeIn({ filter, sort, projection }: PlannedQuery): string {
  return [filter, sort, projection].map((part) => shapeOf(part ?? RawDocument.empty)).join();
}

function detached({ filter, sort, projection, collation }: PlannedQuery): PlannedQuery {
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

/** Removes the entry of one shape. */
export function clearPlan(collection: Collection, query: PlannedQuery): void {
  entriesOf(collection).byShape.delete(shapeIn(query));
}

/** The documents of `$planCacheStats`. */
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
  const shape = planShapeHash([filter, sort, projection]);
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
