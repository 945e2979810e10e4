import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { bool, type Element, type Value } from '../../bson/value.ts';
import { isTrue } from '../../language/filter/existence.ts';

/** A condition in normal form. A logical operator has `parts` in place of operands. */
interface Part {
  readonly path: string;
  readonly operator: string;
  readonly operands: readonly Value[];
  readonly parts: readonly Part[];
}

/**
 * True if two partial filters contain the same conditions. Their order and notation may differ: `{a: 1}` equals `{a:
 * {$eq: 1}}` and `{$and: [{a: 1}]}`.
 */
export function sameFilter(a: RawDocument, b: RawDocument): boolean {
  return compareParts(conjunction(a), conjunction(b)) === 0;
}

function conjunction(filter: RawDocument): Part[] {
  return sorted([...filter].flatMap(conditionsOf));
}

function conditionsOf(element: Element): Part[] {
  const { name: path, type } = element;
  if (path === '$and') return filtersIn(element).flatMap(conjunction);
  if (path === '$or') return disjunction(filtersIn(element).map(conjunction));
  const operators = type === bsonTypes.object ? [...documentOf(element)] : [];
  if (operators[0]?.name.startsWith('$') !== true) return [part(path, '$eq', [element])];
  return operators.map((operator) => condition(path, operator));
}

function filtersIn(element: Value): RawDocument[] {
  return entriesOf(element).map(documentOf);
}

/** Returns the disjunction of filters. For a single filter, this is the filter itself. */
function disjunction(filters: readonly Part[][]): Part[] {
  const [only] = filters;
  if (filters.length === 1 && only !== undefined) return only;
  const parts = filters.map((all) => (all.length === 1 && all[0] ? all[0] : logical('$and', all)));
  return [logical('$or', sorted(parts))];
}

function condition(path: string, operator: Element): Part {
  const { name } = operator;
  if (name === '$exists') return part(path, name, [bool(isTrue(operator))]);
  if (name !== '$in') return part(path, name, [operator]);
  const values = entriesOf(operator)
    .toSorted(compareValues)
    .filter((value, i, all) => i === 0 || compareValues(value, all[i - 1] as Value) !== 0);
  return part(path, values.length === 1 ? '$eq' : '$in', values);
}

function part(path: string, operator: string, operands: readonly Value[]): Part {
  return { path, operator, operands, parts: [] };
}

function logical(operator: string, parts: readonly Part[]): Part {
  return { path: '', operator, operands: [], parts };
}

function sorted(parts: readonly Part[]): Part[] {
  return parts.toSorted(comparePart);
}

function comparePart(a: Part, b: Part): number {
  return (
    compareText(a.path, b.path) ||
    compareText(a.operator, b.operator) ||
    compareLists(a.operands, b.operands, compareValues) ||
    compareParts(a.parts, b.parts)
  );
}

function compareParts(a: readonly Part[], b: readonly Part[]): number {
  return compareLists(a, b, comparePart);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareLists<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): number {
  for (const [i, item] of a.entries()) {
    const other = b[i];
    const order = other === undefined ? 1 : compare(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
