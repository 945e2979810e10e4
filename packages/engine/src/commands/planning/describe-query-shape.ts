import { bsonTypes, isNumberType, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, textOf, type Value } from '../../bson/value.ts';

/** Arguments that are filters. In the shape, types replace the values of a filter. */
const filters: ReadonlySet<string> = new Set(['filter', 'query']);
/** Arguments that the shape contains unchanged. */
const literal: ReadonlySet<string> = new Set(['sort', 'projection', 'hint', 'collation', 'key']);

/** Returns the shape of a query as a document: `{cmdNs, command, filter: {x: {$eq: '?number'}}, …}`. */
export function describeQueryShape(query: RawDocument): object {
  const [command, ...fields] = query;
  const coll = command?.type === bsonTypes.string ? textOf(command) : '';
  const shown = fields.flatMap((field): Array<[string, unknown]> => {
    if (filters.has(field.name) && field.type === bsonTypes.object) {
      return [[field.name, conditionsOf(documentOf(field))]];
    }
    return literal.has(field.name) ? [[field.name, field]] : [];
  });
  return {
    cmdNs: { db: query.string('$db') ?? '', coll },
    command: command?.name ?? '',
    ...Object.fromEntries(shown),
  };
}

function conditionsOf(filter: RawDocument): object {
  return Object.fromEntries([...filter].map((element) => [element.name, conditionOf(element)]));
}

function conditionOf(element: Element): unknown {
  if (element.name.startsWith('$')) return operandOf(element);
  const hasOperators =
    element.type === bsonTypes.object && documentOf(element).first()?.name.startsWith('$') === true;
  if (!hasOperators) return { $eq: typePlaceholder(element) };
  return Object.fromEntries([...documentOf(element)].map((inner) => [inner.name, operandOf(inner)]));
}

/** Describes the operand of an operator. The operand may contain conditions. */
function operandOf(operand: Element): unknown {
  const isConditions = (value: Value) => value.type === bsonTypes.object;
  if (isConditions(operand)) return conditionsOf(documentOf(operand));
  if (operand.type === bsonTypes.array && entriesOf(operand).some(isConditions)) {
    return entriesOf(operand).map((entry) =>
      isConditions(entry) ? conditionsOf(documentOf(entry)) : typePlaceholder(entry),
    );
  }
  return typePlaceholder(operand);
}

function typePlaceholder(value: Value): string {
  if (value.type !== bsonTypes.array) return `?${kindOf(value)}`;
  const kinds = new Set(entriesOf(value).map(kindOf));
  if (kinds.size === 0) return '[]';
  return kinds.size === 1 ? `?array<?${[...kinds][0]}>` : '?array<>';
}

function kindOf({ type }: Value): string {
  return isNumberType(type) ? 'number' : typeName(type);
}
