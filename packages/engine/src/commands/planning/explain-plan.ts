import type { Comparison } from '../../bson/collation/index.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../../language/environment.ts';
import { compileFilter, everything, type Filter } from '../../language/filter/index.ts';
import { projectionEnvironment } from '../../language/pipeline/metadata.ts';
import { compileFindProjection } from '../../language/projection/find.ts';
import { compileSort } from '../../language/sort.ts';
import type { Candidate } from '../../planner/candidates.ts';
import { coveredPlan } from '../../planner/covered.ts';
import { distinctScan } from '../../planner/distinct-scan.ts';
import { type Limits, planBetween } from '../../planner/min-max.ts';
import { type Plan, type PlanOptions, plan } from '../../planner/plan.ts';
import { planDistinct } from '../../planner/plan-distinct.ts';
import { withIndexes } from '../../planner/special-indexes.ts';
import {
  accessStage,
  clusteredStage,
  keysOnlyStage,
  type PlanStage,
  projectionStage,
} from '../../planner/stages.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { AccessPath } from '../../storage/model/access-path.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { Visited } from '../context/explainable.ts';
import { comparingBy, comparisonOf } from '../shared/collation.ts';
import { residualFilter } from './residual-filter.ts';

/** The query of an explained command. */
export interface ExplainedQuery {
  readonly filter?: RawDocument | undefined;
  readonly sort?: RawDocument | undefined;
  readonly hint?: PlanOptions['hint'];
  readonly collation?: RawDocument | undefined;
  readonly skip?: number | undefined;
  /** Maximum number of documents. */
  readonly limit?: number | undefined;
  readonly projection?: RawDocument | undefined;
  /** The bounds `min` and `max` of the index keys to read. */
  readonly limits?: Limits | undefined;
  /** True if the query returns record ids or index keys. Plans that read only an index do not support this. */
  readonly reading?: boolean;
  /** True if a write changes the documents. It stops by itself after the last one. */
  readonly writing?: boolean;
  /** True if only the number of documents is needed. */
  readonly counting?: boolean;
  /** The path of a distinct command. Only the distinct values at this path are needed. */
  readonly distinct?: string;
  /** The indexes to which query settings restrict the query. */
  readonly allowed?: PlanOptions['allowed'];
  readonly environment: Environment;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Plans a query, and runs it if `run` is true. */
export function visit(collection: Collection | undefined, wanted: ExplainedQuery, run: boolean): Visited {
  const comparison = comparisonOf(wanted.collation, collection);
  const environment = withIndexes(comparingBy(wanted.environment, comparison), collection);
  const filter = wanted.filter ? compileFilter(wanted.filter, environment) : everything;
  const { sort, skip = 0, limit = UNLIMITED } = wanted;
  if (sort !== undefined) compileSort(withoutNatural(sort), environment);
  const { projection } = wanted;
  if (projection?.isEmpty === false)
    compileFindProjection(projection, projectionEnvironment(environment, filter));
  const planned = planOf(wanted, filter, collection, comparison);
  const { path, sorted, exact = false } = planned;
  if (collection === undefined) return nothing('nonExistentNamespace');
  if (planned.never) return nothing('predicateEvalsToFalse');
  const restricted = planned.restricted === true;
  if (exact && path.kind === 'index' && wanted.counting) {
    const keys = run ? collection.countIn(path.index, path.ranges, skip + limit) : 0;
    return { ...counted(path, keys), restricted };
  }
  const distinct =
    wanted.distinct === undefined ? undefined : distinctStages(collection, wanted.distinct, planned, run);
  if (distinct !== undefined) return { ...distinct, restricted };
  const inMemory = sort !== undefined && !sorted;
  const enough = inMemory ? UNLIMITED : skip + limit;
  const { keys, documents, records } = run ? readRecords(collection, path, filter, enough) : unread;
  const bytes = inMemory ? records.reduce((sum, { doc }) => sum + doc.length, 0) : 0;
  const conditions = exact ? undefined : testedConditions(wanted, path);
  const examined = { keys, documents, found: records.length };
  const clustered = path.kind === 'byId' && collection.options.has('clusteredIndex');
  const access = clustered
    ? clusteredStage(path, conditions?.onDocuments, examined)
    : accessStage(path, conditions?.onDocuments, examined, conditions?.onKeys);
  return {
    docsExamined: documents,
    keysExamined: clustered ? 0 : keys,
    records,
    found: Math.min(Math.max(records.length - skip, 0), limit),
    restricted,
    top: stagesAbove(access, wanted, inMemory, path, bytes),
    rejected: (planned.rejected ?? []).map((other) => rejectedStages(other, wanted)),
  };
}

function planOf(
  { filter: spec, sort, hint, projection, limits, distinct, reading, allowed }: ExplainedQuery,
  filter: Filter,
  collection: Collection | undefined,
  comparison: Comparison | undefined,
): Plan {
  if (distinct !== undefined) return planDistinct(filter, distinct, hint, collection, allowed);
  if (limits !== undefined) return planBetween(limits, { filter: spec, hint }, collection, comparison);
  const options = { sort, hint, collection, projection, comparison, allowed };
  return coveredPlan(plan(filter, options), filter, reading ? {} : options);
}

/** Returns the plan of a count that reads only index keys. */
function counted(path: AccessPath, keys: number): Visited {
  const top = keysOnlyStage('COUNT_SCAN', path, keys);
  return { docsExamined: 0, keysExamined: keys, records: [], found: keys, top };
}

/** Returns the plan of a distinct scan, which reads one key or one document per value. */
function distinctStages(
  collection: Collection,
  key: string,
  planned: Plan,
  run: boolean,
): Visited | undefined {
  const figures = { keys: 0, documents: 0 };
  const scanned = distinctScan(collection, key, planned, figures);
  if (scanned === undefined) return undefined;
  const values = run ? [...scanned.values].length : 0;
  const input = keysOnlyStage('DISTINCT_SCAN', planned.path, values);
  const { documents } = figures;
  const top = scanned.covered
    ? above('PROJECTION_COVERED', input, { transformBy: { [key]: 1, _id: 0 } }, values)
    : above('FETCH', input, {}, values, { docsExamined: documents });
  return { docsExamined: documents, keysExamined: values, records: [], found: values, top };
}

/** Returns the stages of a plan that was rejected. */
function rejectedStages(
  { path: given, merged, sorted, exact }: Candidate,
  wanted: ExplainedQuery,
): PlanStage {
  const path = merged ?? given;
  const conditions = exact ? undefined : testedConditions(wanted, path);
  const { onDocuments, onKeys } = conditions ?? {};
  const access = accessStage(path, onDocuments, { keys: 0, documents: 0, found: 0 }, onKeys);
  return stagesAbove(access, wanted, wanted.sort !== undefined && !sorted, path);
}

function testedConditions({ filter }: ExplainedQuery, path: AccessPath) {
  return filter && residualFilter(filter, path);
}

const unread = { keys: 0, documents: 0, records: [] };

function nothing(type: 'nonExistentNamespace' | 'predicateEvalsToFalse'): Visited {
  const top = { stage: 'EOF', details: { type }, figures: {}, nReturned: 0 };
  return { docsExamined: 0, keysExamined: 0, records: [], found: 0, top };
}

/** Returns the sort without `$natural`. `$natural` determines the direction of a scan, but sorts no documents. */
function withoutNatural(sort: RawDocument): RawDocument {
  return sort.first()?.name === '$natural' ? RawDocument.empty : sort;
}

function readRecords(collection: Collection, path: AccessPath, filter: Filter, enough: number) {
  const records: StoredRecord[] = [];
  const figures = { keys: 0, documents: 0 };
  let examined = 0;
  const scan = collection.scan(path, undefined, figures);
  while (records.length < enough) {
    const record = scan.next();
    if (record === undefined) break;
    examined++;
    if (filter.matches(record.doc)) records.push(record);
  }
  const keys = path.kind === 'byId' ? examined : figures.keys;
  const covered = path.kind === 'index' && path.covered !== undefined;
  return { keys, documents: covered ? figures.documents : examined, records };
}

/** If the documents of a sort have more than this total size in bytes, the sort uses the disk. */
const SORT_BYTES = 104_857_600;

function sortFigures(bytes: number): PlanStage['figures'] {
  return { totalDataSizeSorted: bytes, usedDisk: bytes > SORT_BYTES, spills: bytes > SORT_BYTES ? 1 : 0 };
}

function stagesAbove(
  access: PlanStage,
  { sort, skip = 0, limit, projection, writing = false }: ExplainedQuery,
  inMemory: boolean,
  path: AccessPath,
  bytes = 0,
): PlanStage {
  const most = limit ?? UNLIMITED;
  const limited = Number.isFinite(most);
  let top = access;
  if (inMemory) {
    const kept = Math.min(top.nReturned, skip + most);
    const limitAmount = limited ? { limitAmount: skip + most } : {};
    const details = { sortPattern: sort, memLimit: SORT_BYTES, ...limitAmount, type: 'simple' };
    top = above('SORT', top, details, kept, sortFigures(bytes));
  }
  if (skip > 0) top = above('SKIP', top, { skipAmount: skip }, Math.max(top.nReturned - skip, 0));
  if (projection !== undefined && !projection.isEmpty) {
    top = above(projectionStage(projection, path), top, { transformBy: projection }, top.nReturned);
  }
  if (limited && !inMemory && !writing)
    top = above('LIMIT', top, { limitAmount: most }, Math.min(top.nReturned, most));
  return top;
}

export function above(
  stage: string,
  input: PlanStage,
  details: PlanStage['details'],
  nReturned: number,
  figures: PlanStage['figures'] = {},
): PlanStage {
  return { stage, details, input, figures, nReturned };
}

/** Returns the plan without execution statistics. */
export function describePlan({ stage, details, input, inputs }: PlanStage): Record<string, unknown> {
  return {
    stage,
    ...details,
    ...(input === undefined ? {} : { inputStage: describePlan(input) }),
    ...(inputs === undefined ? {} : { inputStages: inputs.map(describePlan) }),
  };
}

/**
 * Returns the plan with execution statistics. Every stage has the time of the whole run. This is close to the real
 * time: the time of a stage includes that of its inputs, and reading takes most of the time. The number of yields is
 * always 0. A stage whose end nothing has asked for is not `ended`.
 */
export function describeRun(plan: PlanStage, millis: number, ended = true): Record<string, unknown> {
  const { stage, details, figures, nReturned, input, inputs } = plan;
  const last = ended ? 1 : 0;
  const works = worksOf(plan) - 1 + last;
  // A limit that is reached stops without asking for the end of its input.
  const below = ended && !(stage === 'LIMIT' && details.limitAmount === nReturned);
  return {
    stage,
    ...details,
    nReturned,
    executionTimeMillisEstimate: millis,
    works,
    advanced: nReturned,
    needTime: works - nReturned - last,
    needYield: 0,
    saveState: 0,
    restoreState: 0,
    isEOF: last,
    ...figures,
    ...(input === undefined ? {} : { inputStage: describeRun(input, millis, below) }),
    ...(inputs === undefined ? {} : { inputStages: inputs.map((one) => describeRun(one, millis, below)) }),
  };
}

/**
 * Returns the number of steps of a stage. A stage without inputs takes one step for each key or document that
 * it reads, and one that finds the end. Any other stage takes the steps of its inputs.
 */
function worksOf({ stage, figures, nReturned, input, inputs = [] }: PlanStage): number {
  const below = [...inputs, ...(input === undefined ? [] : [input])].map((one) => worksOf(one) - 1);
  const read = Math.max(Number(figures.keysExamined ?? figures.docsExamined ?? 0), 0);
  const steps = below.length === 0 ? read : below.reduce((sum, one) => sum + one);
  // A sort returns documents only after it has read all of them.
  return (stage === 'SORT' ? steps + 1 + nReturned : Math.max(steps, nReturned)) + 1;
}
