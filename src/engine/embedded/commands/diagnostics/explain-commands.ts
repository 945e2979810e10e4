import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compilePipeline } from '../../language/pipeline/index.ts';
import { describeStage } from '../../language/pipeline/stages.ts';
import { compileFindProjection } from '../../language/projection/find.ts';
import { compileUpdate, type UpdateOptions } from '../../language/update/index.ts';
import { planShapeHash, queryShapeHash } from '../../planner/explain-shape.ts';
import type { StoredRecord } from '../../storage/page.ts';
import { surroundingsOf } from '../aggregation/surroundings.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { countFields, wholeLimit } from '../crud/count.ts';
import { deleteReader } from '../crud/delete.ts';
import { distinctFields } from '../crud/distinct.ts';
import { findFields } from '../crud/find.ts';
import { checkArguments, findAndModifyFields, hintOf } from '../crud/find-and-modify.ts';
import { checkStatement, updateOptions, updateReader } from '../crud/update.ts';
import { environmentOf } from '../shared/environment.ts';
import { type FieldTable, fields } from '../shared/fields.ts';
import { isGeneric } from '../shared/generic.ts';
import { checkNamespace, collectionOf } from '../shared/namespace.ts';
import { above, type Visited, visit, type Wanted } from './explain-plan.ts';

/** What is told of a command that is explained. */
export interface Explained {
  readonly namespace: string;
  readonly filter: RawDocument | undefined;
  readonly visited: Visited;
  /** Stages of a pipeline behind what visits the collection. */
  readonly stages: readonly object[];
  readonly queryShapeHash: string;
  readonly planShapeHash: string;
}

type Explainer = (inner: CommandRequest, cluster: ClusterContext, run: boolean) => Explained;

function readerOf<const T extends FieldTable>(name: string, table: T) {
  return fields(name, table, isGeneric);
}

const findReader = readerOf('find', findFields);
const countReader = readerOf('count', countFields);
const distinctReader = readerOf('distinct', distinctFields);
const modifyReader = readerOf('findAndModify', findAndModifyFields);

/** Visits the collection that the command names, and tells of it. */
function explained(
  inner: CommandRequest,
  cluster: ClusterContext,
  wanted: Omit<Wanted, 'environment'>,
  run: boolean,
  shape: (visited: Visited) => Visited = (visited) => visited,
): Explained {
  const namespace = checkNamespace(inner.database, collectionOf(inner));
  const collection = cluster.store.collection(inner.database, collectionOf(inner));
  const environment = environmentOf(inner.body.document('let', inner.name), cluster);
  const parts = [wanted.filter, wanted.sort, wanted.projection];
  return {
    namespace,
    filter: wanted.filter,
    visited: shape(visit(collection, { ...wanted, environment }, run)),
    stages: [],
    queryShapeHash: queryShapeHash(inner.name, parts),
    planShapeHash: planShapeHash(parts),
  };
}

const find: Explainer = (inner, cluster, run) => {
  const args = findReader.read(inner.body);
  const { filter, sort, hint, collation, skip, limit, projection } = args;
  const reading = args.returnKey === true || args.showRecordId === true;
  if (projection?.isEmpty === false) compileFindProjection(projection);
  const wanted = { filter, sort, hint, collation, skip, limit: limit || undefined, projection, reading };
  return explained(inner, cluster, wanted, run);
};

const count: Explainer = (inner, cluster, run) => {
  const { query, hint, collation, skip, limit } = countReader.read(inner.body);
  const most = (limit && Math.abs(wholeLimit(limit))) || undefined;
  const wanted = { filter: query, hint, collation, counting: true };
  // An index that is asked for may not have all documents.
  const all = (query === undefined || query.isEmpty) && hint === undefined;
  return explained(inner, cluster, wanted, run && !all, (visited) => {
    const { stage } = visited.top;
    const { documents = 0 } = cluster.store.collection(inner.database, collectionOf(inner)) ?? {};
    const found = all && run ? documents : visited.found;
    const nCounted = Math.min(Math.max(found - (skip ?? 0), 0), most ?? Number.POSITIVE_INFINITY);
    const figures = run ? { nCounted, nSkipped: Math.min(skip ?? 0, found) } : {};
    if (all && stage !== 'EOF') {
      // The store knows how many there are without looking at them.
      return { ...visited, top: { stage: 'RECORD_STORE_FAST_COUNT', details: {}, figures, nReturned: 0 } };
    }
    return { ...visited, top: above('COUNT', visited.top, {}, 0, figures) };
  });
};

const distinct: Explainer = (inner, cluster, run) => {
  const { query, hint, collation, key } = distinctReader.read(inner.body);
  return explained(inner, cluster, { filter: query, hint: hintOf(hint), collation, distinct: key }, run);
};

const update: Explainer = (inner, cluster, run) => {
  const statement = updateReader.read(only(inner, 'updates'));
  checkStatement(statement);
  const { q, hint, collation, sort, multi, u, upsert } = statement;
  const wanted = { filter: q, hint, collation, sort, limit: multi ? undefined : 1 };
  return explained(inner, cluster, wanted, run, (visited) =>
    updating(
      visited,
      u,
      updateOptions(statement, environmentOf(inner.body.document('let'), cluster), cluster),
      upsert === true,
      run,
    ),
  );
};

function updating(
  visited: Visited,
  change: Value,
  options: UpdateOptions,
  upsert: boolean,
  run: boolean,
): Visited {
  const compiled = compileUpdate(change, options);
  const modified = (record: StoredRecord) => compiled.apply(record.doc).modified;
  const nMatched = visited.found;
  const figures = {
    nMatched,
    nWouldModify: visited.records.slice(0, nMatched).filter(modified).length,
    nWouldUpsert: upsert && nMatched === 0 ? 1 : 0,
  };
  return { ...visited, top: above('UPDATE', visited.top, {}, 0, run ? figures : {}) };
}

const remove: Explainer = (inner, cluster, run) => {
  const { q, hint, collation, limit } = deleteReader.read(only(inner, 'deletes'));
  const wanted = { filter: q, hint, collation, limit: limit === 1 ? 1 : undefined };
  return explained(inner, cluster, wanted, run, (visited) => deleting(visited, limit !== 1, run));
};

function deleting(visited: Visited, isMulti: boolean, run: boolean): Visited {
  const figures = run ? { nWouldDelete: visited.found } : {};
  return { ...visited, top: above('DELETE', visited.top, { isMulti }, 0, figures) };
}

function only({ name, body }: CommandRequest, field: string): RawDocument {
  const [statement, more] = body.documents(field, name) ?? [];
  if (statement !== undefined && more === undefined) return statement;
  throw new ServerError('InvalidLength', 'explained write batches must be of size 1');
}

const findAndModify: Explainer = (inner, cluster, run) => {
  const args = modifyReader.read(inner.body);
  checkArguments(args);
  const { query, sort, hint, collation, update: change, remove: removes, upsert } = args;
  const wanted = { filter: query, sort, hint: hintOf(hint), collation, limit: 1 };
  return explained(inner, cluster, wanted, run, (visited) =>
    removes || change === undefined
      ? deleting(visited, false, run)
      : updating(
          visited,
          change,
          updateOptions(args, environmentOf(args.let, cluster), cluster),
          upsert === true,
          run,
        ),
  );
};

const aggregate: Explainer = (inner, cluster, run) => {
  const { body } = inner;
  const specs = body.documents('pipeline', 'aggregate');
  if (specs === undefined) {
    throw new ServerError(40414, "BSON field 'aggregate.pipeline' is missing but a required field");
  }
  const name = collectionOf(inner);
  const { sort } = compilePipeline(specs, {
    environment: environmentOf(body.document('let', 'aggregate'), cluster),
    surroundings: surroundingsOf(inner, name, cluster),
  });
  const match = specs[0]?.get('$match');
  const filter = match?.type === bsonTypes.object ? documentOf(match) : undefined;
  const taken = (filter === undefined ? 0 : 1) + (sort === undefined ? 0 : 1);
  const limit = specs[taken]?.int('$limit');
  const wanted = {
    filter,
    sort,
    limit,
    hint: hintOf(body.get('hint')),
    collation: body.document('collation', 'aggregate'),
  };
  // What a plan of the collection does, no stage has to do.
  const rest = specs.slice(limit === undefined ? taken : taken + 1);
  return {
    ...explained(inner, cluster, wanted, run),
    stages: rest,
    queryShapeHash: queryShapeHash(inner.name, specs),
    planShapeHash: planShapeHash([
      filter,
      sort,
      ...rest.filter((spec) => describeStage(spec.first()?.name ?? '')?.shapesPlan),
    ]),
  };
};

export const explainers: ReadonlyMap<string, Explainer> = new Map([
  ['find', find],
  ['count', count],
  ['distinct', distinct],
  ['update', update],
  ['delete', remove],
  ['findAndModify', findAndModify],
  ['aggregate', aggregate],
]);
