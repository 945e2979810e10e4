import { bsonTypes, isNumberType, typeName } from '../bson/bson-types.ts';
import { truthOfNumber } from '../bson/numbers/convert.ts';
import { documentOf, entriesOf, type RawDocument } from '../bson/raw.ts';
import { boolOf, type Element, isNumber, textOf, type Value } from '../bson/value.ts';
import { parseTypes } from '../language/filter/type-set.ts';
import { shapeOf } from './value-shape.ts';

/** What the shape of a filter includes besides fields and operators. */
interface ShapeKind {
  /** True if the shape includes the order of clauses, the arguments of `$type` and the operators of `$expr`. */
  readonly isExact: boolean;
}

/**
 * Returns the shape of a filter as text: its fields and operators, with types in place of values. `{a: 1}` equals `{a:
 * {$eq: 1}}`, and several fields form a conjunction.
 */
export function filterShape(filter: RawDocument, kind: ShapeKind): string {
  return conjunction(clausesOf(filter, kind), kind);
}

function conjunction(clauses: readonly string[], { isExact }: ShapeKind): string {
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined) return only;
  return clauses.length === 0 ? '' : `$and[${(isExact ? clauses : clauses.toSorted()).join(',')}]`;
}

function clausesOf(filter: RawDocument, kind: ShapeKind): string[] {
  return [...filter].flatMap((element) =>
    element.name.startsWith('$') ? logicalClauses(element, kind) : conditions(element.name, element, kind),
  );
}

/**
 * Returns the clauses of a logical operator. The plan of a conjunction does not depend on how it is nested, and that of
 * a single alternative is the plan of its clauses.
 */
function logicalClauses(element: Element, kind: ShapeKind): string[] {
  const { name, type } = element;
  if (kind.isExact || type !== bsonTypes.array) return [logical(element, kind)];
  const entries = entriesOf(element);
  const joined = name === '$and' || (name === '$or' && entries.length === 1);
  if (!joined || !entries.every((entry) => entry.type === bsonTypes.object)) return [logical(element, kind)];
  return entries.flatMap((entry) => clausesOf(documentOf(entry), kind));
}

function logical(element: Element, kind: ShapeKind): string {
  const { name, type } = element;
  if (type === bsonTypes.array && (name === '$and' || name === '$or' || name === '$nor')) {
    const shapes = entriesOf(element).map((entry) =>
      entry.type === bsonTypes.object ? filterShape(documentOf(entry), kind) : typeOf(entry),
    );
    return `${name}[${(kind.isExact ? shapes : shapes.toSorted()).join(',')}]`;
  }
  if (name === '$expr') return kind.isExact ? `$expr:${valueShape(element)}` : '$expr';
  return name === '$jsonSchema' ? `${name}:${literal(element)}` : `${name}:${typeOf(element)}`;
}

/** Returns the clauses about one path. */
function conditions(path: string, value: Value, kind: ShapeKind): string[] {
  const operators = value.type === bsonTypes.object ? [...documentOf(value)] : [];
  if (operators[0]?.name.startsWith('$') !== true) return [`${path}:${implied(value)}`];
  return operatorShapes(operators, kind).map((shape) => `${path}:${shape}`);
}

function operatorShapes(operators: readonly Element[], kind: ShapeKind): string[] {
  const options = operators.find(({ name }) => name === '$options');
  return operators
    .filter((operator) => operator !== options)
    .map((operator) =>
      operator.name === '$regex' ? patternShape(operator, options) : condition(operator, kind),
    );
}

/** A value in place of operators: a pattern means `$regex`, any other value `$eq`. */
const implied = (value: Value) =>
  value.type === bsonTypes.regex ? patternShape(value) : `$eq:${typeOf(value)}`;

/**
 * Returns the shape of a regular expression. It shows only whether there are options, in the expression
 * itself or in `$options`.
 */
function patternShape(pattern: Value, options?: Value): string {
  // The bytes of a regular expression end with its options and a zero byte.
  const ownOptions = pattern.type === bsonTypes.regex && pattern.bytes[pattern.end - 2] !== 0;
  const others = options?.type === bsonTypes.string && textOf(options) !== '';
  return ownOptions || others ? '$regex:?$options:?' : '$regex:?';
}

function condition(operator: Element, kind: ShapeKind): string {
  const { name, type } = operator;
  switch (name) {
    case '$exists':
      return isFalse(operator) ? '$not($exists)' : '$exists';
    case '$type':
      return kind.isExact ? `$type:${typeNames(operator)}` : '$type';
    case '$not':
      return `$not(${type === bsonTypes.object ? operatorShapes([...documentOf(operator)], kind).join(',') : implied(operator)})`;
    case '$ne':
      return `$not($eq:${typeOf(operator)})`;
    case '$nin':
      return `$not(${listShape(operator, kind)})`;
    case '$elemMatch':
      return `$elemMatch(${type === bsonTypes.object ? elementShape(documentOf(operator), kind) : ''})`;
    case '$in':
      return listShape(operator, kind);
    case '$all':
      return `$all[${type === bsonTypes.array ? entriesOf(operator).map(typeOf).join(',') : ''}]`;
    default:
      return `${name}:${typeOf(operator)}`;
  }
}

function elementShape(document: RawDocument, kind: ShapeKind): string {
  const [first] = document;
  if (first?.name.startsWith('$') !== true || first.name === '$and' || first.name === '$or')
    return filterShape(document, kind);
  return conjunction(operatorShapes([...document], kind), kind);
}

/** Returns the shape of `$in`. With a single value, it is the shape of `$eq`, unless the shape is exact. */
function listShape(list: Value, { isExact }: ShapeKind): string {
  return !isExact && list.type === bsonTypes.array && entriesOf(list).length === 1
    ? `$eq:${entriesOf(list).map(typeOf).join('')}`
    : `$in:${typeOf(list)}`;
}

function isFalse(value: Value): boolean {
  if (isNumber(value)) return !truthOfNumber(value);
  return value.type === bsonTypes.bool ? !boolOf(value) : value.type === bsonTypes.null;
}

/** Returns the shape of a list of types. The name of a type and its number have the same shape. */
function typeNames(value: Value): string {
  return [...parseTypes(value, '$type')].sort((a, b) => a - b).join(',');
}

function valueShape(value: Value): string {
  if (value.type === bsonTypes.object) return shapeOf(documentOf(value));
  return value.type === bsonTypes.array ? `[${entriesOf(value).map(valueShape).join(',')}]` : typeOf(value);
}

/** Returns `?number` for example, or `?array<?number>` for a list of any length whose entries have one type. */
function typeOf(value: Value): string {
  if (value.type !== bsonTypes.array) return `?${isNumberType(value.type) ? 'number' : typeName(value.type)}`;
  const types = new Set(entriesOf(value).map(typeOf));
  return `?array<${types.size > 1 ? '' : [...types].join('')}>`;
}

function literal(value: Value): string {
  return Buffer.from(value.bytes.subarray(value.start, value.end)).toString('latin1');
}
