import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { Visited } from '../context/explainable.ts';
import type { Wanted } from './explain-plan.ts';

type Asked = Pick<Wanted, 'filter' | 'hint' | 'skip' | 'sort' | 'projection' | 'reading'>;

/** What a write would do to the only document that it can find. */
export interface ExpressWrite {
  readonly stage: 'EXPRESS_DELETE' | 'EXPRESS_UPDATE';
  readonly nWouldModify?: number;
  readonly nWouldDelete?: number;
  /** Whether the document is answered. */
  readonly returning: boolean;
}

/** What asks for nothing but one `_id` has a plan of a single stage, as from version 8.0 of the reference server on. */
export function express(visited: Visited, asked: Asked): Visited {
  const details = dataAccess(visited, asked);
  if (details === undefined) return visited;
  const { keysExamined, docsExamined, top } = visited;
  const figures = { keysExamined, docsExamined };
  return { ...visited, top: { stage: 'EXPRESS_IXSCAN', details, figures, nReturned: top.nReturned } };
}

/** The same for a write that is no upsert; absent where its plan has several stages. */
export function expressWrite(visited: Visited, asked: Asked, write: ExpressWrite): Visited | undefined {
  const { sort, projection } = asked;
  const details = sort === undefined && projection === undefined ? dataAccess(visited, asked) : undefined;
  if (details === undefined) return undefined;
  const { keysExamined, docsExamined, found } = visited;
  const { stage, nWouldModify = 0, nWouldDelete = 0, returning } = write;
  const figures = { keysExamined, docsExamined, nWouldModify, nWouldUpsert: 0, nWouldDelete };
  return { ...visited, top: { stage, details, figures, nReturned: returning ? found : 0 } };
}

/** How the one document is found; absent where it takes more than the index on `_id`. */
function dataAccess({ top }: Visited, asked: Asked): PlanStage['details'] | undefined {
  if (scanOf(top)?.details.indexName !== '_id_' || !isPlain(asked)) return undefined;
  const { projection } = asked;
  const projecting =
    projection === undefined || projection.isEmpty
      ? {}
      : { projection, projectionCovered: top.stage === 'PROJECTION_COVERED' };
  return { keyPattern: '{ _id: 1 }', indexName: '_id_', ...projecting };
}

function scanOf(stage: PlanStage): PlanStage | undefined {
  return stage.input === undefined ? stage : scanOf(stage.input);
}

function isPlain({ filter, hint, skip, projection, reading }: Asked): boolean {
  const [first, ...others] = filter ?? [];
  return (
    first?.name === '_id' &&
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

/** Whole fields that are there, or not: nothing that is computed. */
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
