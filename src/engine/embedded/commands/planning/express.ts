import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { PlanStage } from '../../planner/stages.ts';
import type { Visited } from '../context/explainable.ts';
import type { Wanted } from './explain-plan.ts';

type Asked = Pick<Wanted, 'filter' | 'hint' | 'skip' | 'projection' | 'reading'>;

/** What asks for nothing but one `_id` has a plan of a single stage, as from version 8.0 of the reference server on. */
export function express(visited: Visited, asked: Asked): Visited {
  const { top } = visited;
  const scan = scanOf(top);
  if (scan?.details.indexName !== '_id_' || !isPlain(asked)) return visited;
  const { projection } = asked;
  const projecting =
    projection === undefined || projection.isEmpty
      ? {}
      : { projection, projectionCovered: top.stage === 'PROJECTION_COVERED' };
  const details = { keyPattern: '{ _id: 1 }', indexName: '_id_', ...projecting };
  const { keysExamined, docsExamined } = visited;
  const figures = { keysExamined, docsExamined };
  return { ...visited, top: { stage: 'EXPRESS_IXSCAN', details, figures, nReturned: top.nReturned } };
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
