import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { encodeDocument } from '../../../bson/encode.ts';
import { documentOf, entriesOf, RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { compileFilter } from '../../../language/filter/index.ts';
import { type Details, schemaDetails } from './schema-details.ts';

/** Explains why a document does not match a filter. With `inverted`, explains why the document matches. */
export function failureDetails(filter: RawDocument, document: RawDocument, inverted = false): Details {
  const clauses = [...filter].flatMap(clausesOf);
  const [only] = clauses;
  if (only !== undefined && clauses.length === 1) return clauseDetails(only, document, inverted);
  return { operatorName: '$and', ...listed(clauses, document, inverted) };
}

/**
 * Splits a field of a filter into conditions with one operator each. A field without operators, or a
 * top-level operator, is a single condition.
 */
function clausesOf(element: Element): RawDocument[] {
  const operators = element.type === bsonTypes.object ? documentOf(element) : undefined;
  const first = operators?.first();
  if (
    operators === undefined ||
    first === undefined ||
    element.name.startsWith('$') ||
    !first.name.startsWith('$')
  ) {
    return [single(element.name, element)];
  }
  return [...operators].map((operator) => single(element.name, single(operator.name, operator)));
}

function single(name: string, value: Value | RawDocument): RawDocument {
  return new RawDocument(encodeDocument({ [name]: value }));
}

function listed(clauses: readonly RawDocument[], document: RawDocument, inverted: boolean): Details {
  const failed = clauses.flatMap((clause, index) =>
    compileFilter(clause).matches(document) === inverted
      ? [{ index, details: failureDetails(clause, document, inverted) }]
      : [],
  );
  return { [inverted ? 'clausesSatisfied' : 'clausesNotSatisfied']: failed };
}

function clauseDetails(clause: RawDocument, document: RawDocument, inverted: boolean): Details {
  const element = clause.first() as Element;
  switch (element.name) {
    case '$and':
    case '$or':
      return {
        operatorName: element.name,
        ...listed(entriesOf(element).map(documentOf), document, inverted),
      };
    case '$nor':
      return { operatorName: '$nor', ...listed(entriesOf(element).map(documentOf), document, !inverted) };
    case '$jsonSchema':
      return { operatorName: '$jsonSchema', ...schemaDetails(documentOf(element), document) };
    case '$expr':
      return {
        operatorName: '$expr',
        specifiedAs: clause,
        reason: `expression did ${inverted ? '' : 'not '}match`,
        expressionResult: inverted,
      };
    default:
      return fieldDetails(element, clause, document, inverted);
  }
}

function fieldDetails(
  field: Element,
  clause: RawDocument,
  document: RawDocument,
  inverted: boolean,
): Details {
  const inner = field.type === bsonTypes.object ? documentOf(field).first() : undefined;
  const operator = inner?.name.startsWith('$') ? inner : undefined;
  if (operator?.name === '$not' && operator.type === bsonTypes.object) {
    const negated = single(field.name, documentOf(operator));
    return { operatorName: '$not', details: failureDetails(negated, document, !inverted) };
  }
  const operatorName = operator?.name ?? (field.type === bsonTypes.regex ? '$regex' : '$eq');
  const values = valuesAt(document, field.name.split('.'));
  const common = { operatorName, specifiedAs: clause };
  if (operatorName === '$exists') {
    return { ...common, reason: `path does ${values.length > 0 ? '' : 'not '}exist` };
  }
  if (values.length === 0) return { ...common, reason: 'field was missing' };
  return {
    ...common,
    reason: reasonOf(operatorName, inverted),
    ...considered(values),
    ...typesOf(operatorName, values),
  };
}

function considered(values: readonly Value[]): Details {
  return values.length === 1 ? { consideredValue: values[0] } : { consideredValues: values };
}

function typesOf(operator: string, values: readonly Value[]): Details {
  if (operator !== '$type') return {};
  const types = [...new Set(values.map(({ type }) => typeName(type)))];
  return types.length === 1 ? { consideredType: types[0] } : { consideredTypes: types };
}

/** The texts for each operator: why a condition fails, and why its negation fails. */
const reasons: Readonly<Record<string, readonly [failed: string, held: string]>> = {
  $type: ['type did not match', 'type did match'],
  $in: ['no matching value found in array', 'matching value found in array'],
  $nin: ['matching value found in array', 'no matching value found in array'],
  $regex: ['regular expression did not match', 'regular expression did match'],
  $mod: ['$mod did not evaluate to expected remainder', '$mod did evaluate to expected remainder'],
  $size: ['array length was not equal to given size', 'array length was equal to given size'],
  $all: ['array did not contain all specified values', 'array did contain all specified values'],
  $elemMatch: ['array did not satisfy the child predicate', 'array did satisfy the child predicate'],
  $bitsAllSet: ['bitwise operator failed to match', 'bitwise operator matched successfully'],
  $bitsAllClear: ['bitwise operator failed to match', 'bitwise operator matched successfully'],
  $bitsAnySet: ['bitwise operator failed to match', 'bitwise operator matched successfully'],
  $bitsAnyClear: ['bitwise operator failed to match', 'bitwise operator matched successfully'],
  $geoWithin: [
    'none of the considered geometries were contained within the expression’s geometry',
    'at least one of the considered geometries was contained within the expression’s geometry',
  ],
  $geoIntersects: [
    'none of the considered geometries intersected the expression’s geometry',
    'at least one of the considered geometries intersected the expression’s geometry',
  ],
  $ne: ['comparison succeeded', 'comparison failed'],
};

function reasonOf(operator: string, inverted: boolean): string {
  const [failed, held] = reasons[operator] ?? ['comparison failed', 'comparison succeeded'];
  return inverted ? held : failed;
}

/**
 * Returns the values at a path. The path continues in each document of an array. If it ends at an array, the
 * array is one value.
 */
function valuesAt(document: RawDocument, [name = '', ...rest]: readonly string[]): Value[] {
  const value = document.get(name);
  if (value === undefined || rest.length === 0) return value === undefined ? [] : [value];
  if (value.type === bsonTypes.object) return valuesAt(documentOf(value), rest);
  if (value.type !== bsonTypes.array) return [];
  return entriesOf(value).flatMap((entry) =>
    entry.type === bsonTypes.object ? valuesAt(documentOf(entry), rest) : [],
  );
}
