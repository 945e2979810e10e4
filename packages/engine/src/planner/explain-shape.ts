import { createHash } from 'node:crypto';
import { bsonTypes } from '../bson/bson-types.ts';
import { toNumber, truthOfNumber } from '../bson/numbers/convert.ts';
import { documentOf, RawDocument } from '../bson/raw.ts';
import { boolOf, type Element, isNumber } from '../bson/value.ts';
import { filterShape } from './filter-shape.ts';
import { shapeOf } from './value-shape.ts';

/** The parts of a query that determine its plan. */
export interface QueryParts {
  readonly filter?: RawDocument | undefined;
  readonly sort?: RawDocument | undefined;
  readonly projection?: RawDocument | undefined;
  readonly collation?: RawDocument | undefined;
}

/** The shape by which plans are cached, in which the order of clauses does not count. */
export function planShape({ filter, sort, projection, collation }: QueryParts): string {
  const fields = projectionShapes(projection).toSorted().join(',');
  const conditions = filterShape(filter ?? RawDocument.empty, { isExact: false });
  return [conditions, sortShape(sort), fields, json(collation)].join('|');
}

/** 8 hexadecimal digits. `stages` are the later stages of a pipeline. */
export function planShapeHash(parts: QueryParts, stages: readonly RawDocument[] = []): string {
  return digest([planShape(parts), ...stages.map(shapeOf)]).slice(0, 8);
}

/** 64 hexadecimal digits, of the parts of a query. */
export function queryShapeHash(command: string, { filter, sort, projection, collation }: QueryParts): string {
  const parts = [argumentShape('filter', filter), sortShape(sort), argumentShape('projection', projection)];
  return digest([command, ...parts, json(collation)]);
}

/** 64 hexadecimal digits, of the stages of a pipeline. */
export function pipelineShapeHash(
  command: string,
  stages: readonly RawDocument[],
  collation: RawDocument | undefined,
): string {
  return digest([command, ...stages.map(stageShape), json(collation)]);
}

/** The shape of an argument of a command. */
export function argumentShape(name: string, document = RawDocument.empty): string {
  if (name === 'filter' || name === 'query') return filterShape(document, { isExact: true });
  return name === 'projection' ? projectionShapes(document).join(',') : shapeOf(document);
}

export function stageShape(stage: RawDocument): string {
  const [first] = stage;
  if (first?.name !== '$match' || first.type !== bsonTypes.object) return shapeOf(stage);
  return `{$match:${argumentShape('filter', documentOf(first))}}`;
}

function sortShape(sort = RawDocument.empty): string {
  return [...sort]
    .map((key) => (isNumber(key) ? `${key.name}:${Math.sign(toNumber(key))}` : shapeOf(sort)))
    .join(',');
}

/** Whether fields are included or excluded belongs to the shape, other constants do not. */
function projectionShapes(projection = RawDocument.empty): string[] {
  return [...projection].map((field) => `${field.name}:${inclusionOf(field)}`);
}

function inclusionOf(field: Element): string {
  if (isNumber(field)) return String(truthOfNumber(field));
  if (field.type === bsonTypes.bool) return String(boolOf(field));
  return field.type === bsonTypes.object ? shapeOf(documentOf(field)) : '?';
}

const json = (document = RawDocument.empty) => JSON.stringify(document.toObject());

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').toUpperCase();
}
