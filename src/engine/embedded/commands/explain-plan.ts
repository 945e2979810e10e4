import type { Environment } from '../language/expression/environment.ts';
import { compileFilter, everything, type Filter, isPoint } from '../language/filter/index.ts';
import { RawDocument } from '../language/raw.ts';
import { compileSort } from '../language/sort.ts';
import type { AccessPath } from '../storage/access.ts';
import type { Collection } from '../storage/collection.ts';
import type { StoredRecord } from '../storage/page.ts';
import { type PlanOptions, plan, refuseCollation } from './plan.ts';

/** One stage of a plan, in the shape of answers, with its figures once it was run. */
export interface PlanStage {
  readonly stage: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly input?: PlanStage;
  readonly figures: Readonly<Record<string, unknown>>;
  readonly nReturned: number;
}

/** What an explained command wants to see. */
export interface Wanted {
  readonly filter?: RawDocument | undefined;
  readonly sort?: RawDocument | undefined;
  readonly hint?: PlanOptions['hint'];
  readonly collation?: RawDocument | undefined;
  readonly skip?: number | undefined;
  /** At most so many documents. */
  readonly limit?: number | undefined;
  readonly projection?: RawDocument | undefined;
  readonly environment: Environment;
}

export interface Visited {
  /** How many documents were read, and how many of them by their key. */
  readonly docsExamined: number;
  readonly keysExamined: number;
  /** Those that matched; not gathered where nobody asks for them. */
  readonly records: readonly StoredRecord[];
  readonly found: number;
  readonly top: PlanStage;
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Visits a collection as the command would, where `run` is true; otherwise only plans. */
export function visit(collection: Collection | undefined, wanted: Wanted, run: boolean): Visited {
  refuseCollation(wanted.collation);
  const filter = wanted.filter ? compileFilter(wanted.filter, wanted.environment) : everything;
  const { sort, hint, skip = 0, limit = UNLIMITED } = wanted;
  if (sort !== undefined) compileSort(withoutNatural(sort));
  const { path, sorted } = plan(filter, { sort, hint, collection });
  if (collection === undefined) return nothing();
  const inMemory = sort !== undefined && !sorted;
  const enough = inMemory ? UNLIMITED : skip + limit;
  const { examined, records } = run ? read(collection, path, filter, enough) : unread;
  const keysExamined = path.kind === 'byId' ? examined : 0;
  const access = accessStage(path, wanted.filter, examined, records.length);
  return {
    docsExamined: examined,
    keysExamined,
    records,
    found: Math.min(Math.max(records.length - skip, 0), limit),
    top: stagesAbove(access, wanted, inMemory),
  };
}

const unread = { examined: 0, records: [] };

function nothing(): Visited {
  const top = { stage: 'EOF', details: { type: 'nonExistentNamespace' }, figures: {}, nReturned: 0 };
  return { docsExamined: 0, keysExamined: 0, records: [], found: 0, top };
}

/** An order by `$natural` is one of the plan's, not one of documents. */
function withoutNatural(sort: RawDocument): RawDocument {
  return sort.first()?.name === '$natural' ? RawDocument.empty : sort;
}

function read(collection: Collection, path: AccessPath, filter: Filter, enough: number) {
  const records: StoredRecord[] = [];
  let examined = 0;
  const scan = collection.scan(path);
  while (records.length < enough) {
    const record = scan.next();
    if (record === undefined) break;
    examined++;
    if (filter.matches(record.doc)) records.push(record);
  }
  return { examined, records };
}

function accessStage(
  path: AccessPath,
  filter: RawDocument | undefined,
  examined: number,
  nReturned: number,
): PlanStage {
  const direction = path.reverse ? 'backward' : 'forward';
  const conditions = filter === undefined || filter.isEmpty ? {} : { filter };
  if (path.kind === 'natural') {
    return {
      stage: 'COLLSCAN',
      details: { ...conditions, direction },
      figures: { docsExamined: examined },
      nReturned,
    };
  }
  const index = {
    keyPattern: { _id: 1 },
    indexName: '_id_',
    isMultiKey: false,
    multiKeyPaths: { _id: [] },
    isUnique: true,
    isSparse: false,
    isPartial: false,
    indexVersion: 2,
    direction,
  };
  const points = path.intervals?.every(isPoint) === true;
  return {
    stage: 'FETCH',
    details: conditions,
    figures: { docsExamined: examined },
    nReturned,
    input: {
      stage: 'IXSCAN',
      details: index,
      figures: {
        keysExamined: examined,
        ...(points ? { seeks: path.intervals?.length ?? 0 } : { seeks: 1 }),
      },
      nReturned: examined,
    },
  };
}

function stagesAbove(
  access: PlanStage,
  { sort, skip = 0, limit, projection }: Wanted,
  inMemory: boolean,
): PlanStage {
  const most = limit ?? UNLIMITED;
  const limited = Number.isFinite(most);
  let top = access;
  if (inMemory) {
    const kept = Math.min(top.nReturned, skip + most);
    const details = { sortPattern: sort, type: 'simple', ...(limited ? { limitAmount: skip + most } : {}) };
    top = above('SORT', top, details, kept);
  }
  if (skip > 0) top = above('SKIP', top, { skipAmount: skip }, Math.max(top.nReturned - skip, 0));
  if (projection !== undefined && !projection.isEmpty) {
    top = above('PROJECTION_DEFAULT', top, { transformBy: projection }, top.nReturned);
  }
  if (limited && !inMemory) top = above('LIMIT', top, { limitAmount: most }, Math.min(top.nReturned, most));
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

/** The plan without figures. */
export function describePlan({ stage, details, input }: PlanStage): Record<string, unknown> {
  return { stage, ...details, ...(input === undefined ? {} : { inputStage: describePlan(input) }) };
}

/** The plan with figures. */
export function describeRun({
  stage,
  details,
  figures,
  nReturned,
  input,
}: PlanStage): Record<string, unknown> {
  return {
    stage,
    ...details,
    nReturned,
    advanced: nReturned,
    isEOF: 1,
    ...figures,
    ...(input === undefined ? {} : { inputStage: describeRun(input) }),
  };
}
