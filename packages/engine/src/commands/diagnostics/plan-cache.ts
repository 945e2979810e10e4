import { compileCollation } from '../../bson/collation/index.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Reply } from '../../message/reply.ts';
import { clearIndexFilters, indexFilters, setIndexFilter } from '../../planner/index-filters.ts';
import { queryShape, rootOf } from '../../planner/query-shape.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { clearPlan, clearPlans } from '../planning/plan-cache.ts';
import { command } from '../shared/define.ts';
import {
  indexChoices,
  queryOrNull,
  requiredShapePart,
  shapeCollation,
  shapePart,
  strictShapePart,
} from '../shared/field-types.ts';
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { rejectView } from '../views/view.ts';

const shapeFields = {
  query: shapePart,
  sort: shapePart,
  projection: shapePart,
  collation: shapePart,
} as const;

function collectionNamed(
  { database }: CommandRequest,
  name: string,
  { store }: ClusterContext,
): Collection | undefined {
  checkNamespace(database, name);
  rejectView(store, database, name);
  const collection = store.collection(database, name);
  if (collection?.options.has('timeseries')) {
    throw new ServerError(
      'CommandNotSupportedOnView',
      `Namespace ${database}.${name} is a timeseries collection`,
    );
  }
  return collection;
}

const planCacheClear = command({
  name: 'planCacheClear',
  ...reading,
  privileges: onCollection('planCacheWrite'),
  lenient: true,
  fields: { planCacheClear: 'collection!', ...shapeFields },
  run({ planCacheClear: name, ...shape }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    if (collection === undefined) return {};
    if (shape.query === undefined && Object.keys(shape).length > 0) {
      throw new ServerError('BadValue', 'sort, projection or collation provided without query');
    }
    if (shape.query === undefined) clearPlans(collection);
    else clearPlan(collection, { ...readShape(partsOf(shape)), filter: shape.query() });
    return {};
  },
});

const planCacheListFilters = command({
  name: 'planCacheListFilters',
  ...reading,
  privileges: onCollection('planCacheIndexFilter'),
  lenient: true,
  fields: { planCacheListFilters: 'collection!' },
  run({ planCacheListFilters: name }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    return { filters: collection === undefined ? [] : [...indexFilters(collection).values()] };
  },
});

const planCacheClearFilters = command({
  name: 'planCacheClearFilters',
  ...reading,
  privileges: onCollection('planCacheIndexFilter'),
  lenient: true,
  fields: { planCacheClearFilters: 'collection!', ...shapeFields, query: queryOrNull },
  run({ planCacheClearFilters: name, query, ...shape }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    if (collection === undefined) return {};
    clearIndexFilters(collection, query && readShape(partsOf({ ...shape, query })).text);
    return {};
  },
});

const planCacheSetFilter = command({
  name: 'planCacheSetFilter',
  ...reading,
  privileges: onCollection('planCacheIndexFilter'),
  lenient: true,
  fields: {
    planCacheSetFilter: 'collection!',
    query: requiredShapePart,
    sort: strictShapePart,
    projection: strictShapePart,
    collation: shapeCollation,
    indexes: indexChoices,
  },
  run({ planCacheSetFilter: name, indexes, ...given }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    if (collection === undefined) throw new ServerError('BadValue', 'no such collection');
    const { text, ...filter } = readShape(given);
    setIndexFilter(collection, text, { ...filter, indexes }, cluster.store);
    return {};
  },
});

interface Shape {
  readonly query?: RawDocument;
  readonly sort?: RawDocument;
  readonly projection?: RawDocument;
  readonly collation?: RawDocument;
}

function partsOf({
  query,
  sort,
  projection,
  collation,
}: { readonly [name in keyof Shape]?: () => RawDocument }) {
  return {
    query: query?.() ?? none,
    sort: sort?.() ?? none,
    projection: projection?.() ?? none,
    collation: collation?.() ?? none,
  };
}

function readShape(given: Shape) {
  const { query = none, sort = none, projection = none, collation = none } = given;
  const comparison = collation.isEmpty ? undefined : compileCollation(collation);
  const text = queryShape(rootOf(query), sort, projection, comparison);
  return { text, query, sort, projection, ...(collation.isEmpty ? {} : { collation }) };
}

const none = RawDocument.empty;

export const planCacheCommands: readonly Command[] = [
  planCacheClear,
  planCacheListFilters,
  planCacheClearFilters,
  planCacheSetFilter,
];
