import { bsonTypes } from '../../bson/bson-types.ts';
import { compileCollation } from '../../bson/collation/index.ts';
import { documentOf, entriesOf, RawDocument } from '../../bson/raw.ts';
import { isAbsent, type Value } from '../../bson/value.ts';
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
import { checkNamespace, onCollection } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { rejectView } from '../views/view.ts';

const shapeFields = { query: 'value', sort: 'value', projection: 'value', collation: 'value' } as const;

type ShapeArguments = {
  readonly [name in keyof typeof shapeFields]?: Value;
};

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
    else clearPlan(collection, { ...readShape(shape), filter: documentIn('query', shape.query) });
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
  fields: { planCacheClearFilters: 'collection!', ...shapeFields },
  run({ planCacheClearFilters: name, ...shape }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    if (collection === undefined) return {};
    const hasQuery = shape.query !== undefined && shape.query.type !== bsonTypes.null;
    clearIndexFilters(collection, hasQuery ? readShape(shape).text : undefined);
    return {};
  },
});

const planCacheSetFilter = command({
  name: 'planCacheSetFilter',
  ...reading,
  privileges: onCollection('planCacheIndexFilter'),
  lenient: true,
  fields: { planCacheSetFilter: 'collection!', ...shapeFields, indexes: 'value' },
  run({ planCacheSetFilter: name, indexes, ...given }, request, cluster): Reply {
    const collection = collectionNamed(request, name, cluster);
    if (collection === undefined) throw new ServerError('BadValue', 'no such collection');
    if (given.query === undefined) {
      throw new ServerError('BadValue', 'required field query missing');
    }
    rejectNulls(given);
    const shape = readShape(given);
    const { text, ...filter } = shape;
    setIndexFilter(collection, text, { ...filter, indexes: readIndexes(indexes) });
    return {};
  },
});

/** Index filters apply to the given arguments, so none may be null, and a collation must not be empty. */
function rejectNulls(given: ShapeArguments): void {
  for (const [name, value] of Object.entries(given)) {
    const isEmpty = name === 'collation' && value.type === bsonTypes.object && documentOf(value).isEmpty;
    const isList = name === 'collation' && value.type === bsonTypes.array;
    if (isAbsent(value) || isEmpty || isList)
      throw new ServerError('BadValue', `optional field ${name} must be an object`);
  }
}

function readShape(given: ShapeArguments) {
  const query = documentIn('query', given.query);
  const sort = documentIn('sort', given.sort);
  const projection = documentIn('projection', given.projection);
  const collation = documentIn('collation', given.collation);
  const comparison = collation.isEmpty ? undefined : compileCollation(collation);
  const text = queryShape(rootOf(query), sort, projection, comparison);
  return { text, query, sort, projection, ...(collation.isEmpty ? {} : { collation }) };
}

function documentIn(name: string, value: Value | undefined): RawDocument {
  if (value === undefined || isAbsent(value)) return RawDocument.empty;
  // Like the server, treats an array as a document with numbered fields.
  if (value.type === bsonTypes.object || value.type === bsonTypes.array) return documentOf(value.detached());
  throw new ServerError('BadValue', `optional field ${name} must be an object`);
}

function readIndexes(value: Value | undefined): readonly Value[] {
  if (value === undefined) throw new ServerError('BadValue', 'required field indexes missing');
  if (value.type !== bsonTypes.array)
    throw new ServerError('BadValue', 'required field indexes must be an array');
  const indexes = entriesOf(value.detached());
  if (indexes.length === 0) {
    throw new ServerError('BadValue', 'required field indexes must contain at least one index');
  }
  for (const { type } of indexes) {
    if (type === bsonTypes.string || type === bsonTypes.object) continue;
    throw new ServerError('BadValue', 'each item in indexes must be an object or a string');
  }
  return indexes;
}

export const planCacheCommands: readonly Command[] = [
  planCacheClear,
  planCacheListFilters,
  planCacheClearFilters,
  planCacheSetFilter,
];
