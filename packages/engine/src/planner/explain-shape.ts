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

/** Returns the shape under which plans are cached. The order of clauses does not matter. */
export function planShape({ filter, sort, projection, collation }: QueryParts): string {
  const fields = projectionShapes(projection).toSorted().join(',');
  const conditions = filterShape(filter ?? RawDocument.empty, { isExact: false });
  return [conditions, sortShape(sort), fields, json(collation)].join('|');
}

/** Returns the hash of a plan's shape in 8 hexadecimal digits. `stages` are the later stages of a pipeline. */
export function planShapeHash(parts: QueryParts, stages: readonly RawDocument[] = []): string {
  return digest([planShape(parts), ...stages.map(shapeOf)]).slice(0, 8);
}

/** Returns the hash of a query's shape in 64 hexadecimal digits. */
export function queryShapeHash(command: string, { filter, sort, projection, collation }: QueryParts): string {
  const parts = [argumentShape('filter', filter), sortShape(sort), argumentShape('projection', projection)];
  return digest([command, ...parts, json(collation)]);
}

/** Returns the shape of a command's argument. */
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

/** Returns the shape of a projection. It includes whether fields are included or excluded, but no other constants. */
function projectionShapes(projection = RawDocument.empty): string[] {
  return [...projection].map((field) => `${field.name}:${inclusionOf(field)}`);
}

function inclusionOf(field: Element): string {
  if (isNumber(field)) return String(truthOfNumber(field));
  if (field.type === bsonTypes.bool) return String(boolOf(field));
  return field.type === bsonTypes.object ? shapeOf(documentOf(field)) : '?';
}

const json = (document = RawDocument.empty) => JSON.stringify(document.toObject());

/** Returns the hash of texts in 64 hexadecimal digits. */
export function digest(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').toUpperCase();
}
