import { bsonTypes } from '../../bson/bson-types.ts';
import { describeDocument } from '../../bson/describe.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { Visited } from '../context/explainable.ts';
import type { ExplainedQuery } from './explain-plan.ts';

const CLUSTERED = 'CLUSTERED_IXSCAN';

type ExpressQuery = Pick<
  ExplainedQuery,
  'filter' | 'hint' | 'skip' | 'sort' | 'projection' | 'reading' | 'limit' | 'limits'
> & {
  /** True if the client chooses the size of the batches. */
  readonly batched?: boolean;
};

/** Describes a write whose filter selects a document by `_id`. */
export interface ExpressWrite {
  readonly stage: 'EXPRESS_DELETE' | 'EXPRESS_UPDATE';
  readonly nWouldModify?: number;
  readonly nWouldDelete?: number;
  /** True if the command returns the document. */
  readonly returning: boolean;
}

/**
 * Replaces the plan of a query by a single stage if the query finds its only document by one value of an index: the
 * index on `_id`, a unique index, or any index with a limit of 1. The server shows such plans since version 8.0.
 */
export function express(visited: Visited, query: ExpressQuery): Visited {
  const byId = dataAccess(visited, query);
  if (query.batched && byId !== undefined) return idHack(visited);
  const details = byId ?? indexAccess(visited, query);
  if (details === undefined) return visited;
  const { keysExamined, docsExamined, top } = visited;
  const figures = { keysExamined, docsExamined };
  const clustered = scanOf(top)?.stage === CLUSTERED;
  const stage = clustered ? 'EXPRESS_CLUSTERED_IXSCAN' : 'EXPRESS_IXSCAN';
  return { ...visited, top: { stage, details, figures, nReturned: top.nReturned } };
}

/** Replaces the stages that find a document by `_id` with one stage, which has no details. */
function idHack(visited: Visited): Visited {
  const { keysExamined, docsExamined, top } = visited;
  const clustered = scanOf(top)?.stage === CLUSTERED;
  if (clustered) return visited;
  const replaced = (stage: PlanStage): PlanStage =>
    stage.stage === 'FETCH' || stage.input === undefined
      ? { stage: 'IDHACK', details: {}, figures: { keysExamined, docsExamined }, nReturned: stage.nReturned }
      : { ...stage, input: replaced(stage.input) };
  return { ...visited, top: replaced(top) };
}

/** Like `express`, for a write. Returns undefined for upserts and plans with several stages. */
export function expressWrite(
  visited: Visited,
  query: ExpressQuery,
  write: ExpressWrite,
): Visited | undefined {
  const { sort, projection } = query;
  const details = sort === undefined && projection === undefined ? dataAccess(visited, query) : undefined;
  if (details === undefined) return undefined;
  const { keysExamined, docsExamined, found } = visited;
  const { stage, nWouldModify = 0, nWouldDelete = 0, returning } = write;
  const figures = { keysExamined, docsExamined, nWouldModify, nWouldUpsert: 0, nWouldDelete };
  return { ...visited, top: { stage, details, figures, nReturned: returning ? found : 0 } };
}

/** Returns the details of the stage. Returns undefined if the query needs more than the index on `_id`. */
function dataAccess({ top }: Visited, query: ExpressQuery): PlanStage['details'] | undefined {
  const scan = scanOf(top);
  if ((scan?.details.indexName !== '_id_' && scan?.stage !== CLUSTERED) || !isPlain(query, '_id'))
    return undefined;
  const { projection } = query;
  const projecting =
    projection === undefined || projection.isEmpty
      ? {}
      : { projection, projectionCovered: top.stage === 'PROJECTION_COVERED' };
  return { keyPattern: '{ _id: 1 }', indexName: '_id_', ...projecting };
}

/** Like `dataAccess`, for other indexes. Such plans have no projection. */
function indexAccess({ top }: Visited, query: ExpressQuery): PlanStage['details'] | undefined {
  const { filter, sort, projection, limit, limits, batched } = query;
  if (!isPlain(query, filter?.first()?.name) || batched || limits !== undefined) return undefined;
  if (sort?.isEmpty === false || projection?.isEmpty === false) return undefined;
  const scan = scanOf(top);
  const { keyPattern, indexName, isUnique } = scan?.details ?? {};
  if (scan?.stage !== 'IXSCAN' || !(keyPattern instanceof RawDocument)) return undefined;
  const fields = [...keyPattern];
  if (!fields.every((field) => field.name !== '$_path' && isNumber(field))) return undefined;
  if (limit !== 1 && !(isUnique === true && fields.length === 1)) return undefined;
  return { keyPattern: describeDocument(keyPattern), indexName };
}

function scanOf(stage: PlanStage): PlanStage | undefined {
  return stage.input === undefined ? stage : scanOf(stage.input);
}

/** True if the query only compares this field with one value. */
function isPlain(
  { filter, hint, skip, projection, reading }: ExpressQuery,
  name: string | undefined,
): boolean {
  const [first, ...others] = filter ?? [];
  return (
    first?.name === name &&
    first !== undefined &&
    !first.name.startsWith('$') &&
    others.length === 0 &&
    isOneValue(first) &&
    hint === undefined &&
    !skip &&
    !reading &&
    (projection === undefined || isSimple(projection))
  );
}

const severalKeys: ReadonlySet<number> = new Set([
  bsonTypes.null,
  bsonTypes.undefined,
  bsonTypes.array,
  bsonTypes.regex,
]);

function isOneValue(value: Value): boolean {
  if (value.type !== bsonTypes.object) return !severalKeys.has(value.type);
  const [first, ...others] = documentOf(value);
  if (first === undefined || !first.name.startsWith('$')) return true;
  return first.name === '$eq' && others.length === 0 && !severalKeys.has(first.type);
}

/** True if the projection only includes or excludes whole fields. */
function isSimple(projection: RawDocument): boolean {
  return [...projection].every(
    ({ name, type }) => !name.includes('.') && !name.includes('$') && plainTypes.has(type),
  );
}

const plainTypes: ReadonlySet<number> = new Set([
  bsonTypes.bool,
  bsonTypes.int,
  bsonTypes.long,
  bsonTypes.double,
  bsonTypes.decimal,
]);
