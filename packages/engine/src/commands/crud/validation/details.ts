import { bsonTypes } from '../../../bson/bson-types.ts';
import { encodeDocument } from '../../../bson/encode.ts';
import { documentOf, entriesOf, RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../../language/environment.ts';
import { compileExpression } from '../../../language/expression/compile.ts';
import { compileFilter } from '../../../language/filter/index.ts';
import { storedGeometry } from '../../../language/geo/stored.ts';
import { type Considered, listed, mismatchOf, typesOf, valuesAt } from './considered.ts';
import { limited } from './details-size.ts';
import { type Details, isRejectedByType, schemaDetails } from './schema-details.ts';

/** A document and the environment of the filter that decided about it. */
interface Decided {
  readonly document: RawDocument;
  readonly environment: Environment;
  /** True to explain why the document matches, false to explain why it does not match. */
  readonly inverted: boolean;
}

/** Explains why a document does not match a filter. */
export function failureDetails(
  filter: RawDocument,
  document: RawDocument,
  environment: Environment,
): Details {
  return limited(filterDetails(filter, { document, environment, inverted: false }));
}

function filterDetails(filter: RawDocument, decided: Decided): Details {
  const clauses = [...filter].flatMap(clausesOf);
  const [only] = clauses;
  if (only !== undefined && clauses.length === 1) return clauseDetails(only, decided);
  return { operatorName: '$and', ...clausesAt(clauses, decided) };
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
  const options = operators.get('$options');
  return [...operators]
    .filter(({ name }) => name !== '$options')
    .map((operator) => {
      const own = {
        [operator.name]: operator,
        ...(operator.name === '$regex' && options ? { $options: options } : {}),
      };
      return single(element.name, new RawDocument(encodeDocument(own)));
    });
}

function single(name: string, value: Value | RawDocument): RawDocument {
  return new RawDocument(encodeDocument({ [name]: value }));
}

function clausesAt(clauses: readonly RawDocument[], decided: Decided): Details {
  const { document, environment, inverted } = decided;
  const failed = clauses.flatMap((clause, index) =>
    compileFilter(clause, environment).matches(document) === inverted
      ? [{ index, details: filterDetails(clause, decided) }]
      : [],
  );
  return { [inverted ? 'clausesSatisfied' : 'clausesNotSatisfied']: failed };
}

function clauseDetails(clause: RawDocument, decided: Decided): Details {
  const element = clause.first() as Element;
  const operatorName = element.name;
  const { inverted } = decided;
  switch (operatorName) {
    case '$and':
    case '$or':
      return { operatorName, ...clausesAt(entriesOf(element).map(documentOf), decided) };
    case '$nor': {
      const clauses = entriesOf(element).map(documentOf);
      return { operatorName, ...clausesAt(clauses, { ...decided, inverted: !inverted }) };
    }
    case '$jsonSchema': {
      const schema = documentOf(element);
      if (inverted) return { operatorName, reason: 'schema matched' };
      if (isRejectedByType(schema, decided.document)) return constant(operatorName, clause, inverted);
      return { operatorName, ...schemaDetails(schema, decided.document) };
    }
    case '$expr':
      return { operatorName, specifiedAs: clause, ...expressionDetails(element, decided) };
    case '$alwaysFalse':
    case '$alwaysTrue':
      return constant(operatorName, clause, inverted);
    default:
      return fieldDetails(element, clause, decided);
  }
}

function constant(operatorName: string, specifiedAs: RawDocument, inverted: boolean): Details {
  return { operatorName, specifiedAs, reason: `expression always evaluates to ${inverted}` };
}

function expressionDetails(operand: Value, { document: root, environment, inverted }: Decided): Details {
  try {
    const expressionResult = compileExpression(operand, environment).evaluate({ root });
    return { reason: `expression did ${inverted ? '' : 'not '}match`, expressionResult };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { code, codeName, message: errmsg } = error;
    return { reason: 'failed to evaluate aggregation expression', details: { code, codeName, errmsg } };
  }
}

/** Operators that test an array at the end of a path as a whole. */
const onArrays: ReadonlySet<string> = new Set(['$all', '$size', '$elemMatch']);

function fieldDetails(field: Element, clause: RawDocument, decided: Decided): Details {
  const { document, inverted } = decided;
  const inner = field.type === bsonTypes.object ? documentOf(field).first() : undefined;
  const operator = inner?.name.startsWith('$') ? inner : undefined;
  if (operator?.name === '$not' && operator.type === bsonTypes.object) {
    const negated = single(field.name, documentOf(operator));
    return { operatorName: '$not', details: filterDetails(negated, { ...decided, inverted: !inverted }) };
  }
  const operatorName = operator?.name ?? (field.type === bsonTypes.regex ? '$regex' : '$eq');
  if (operatorName === '$all' && operator !== undefined && documentOf(operator).isEmpty) {
    return constant(operatorName, clause, inverted);
  }
  const values = valuesAt(document, field.name, onArrays.has(operatorName));
  const common = { operatorName, specifiedAs: clause };
  if (operatorName === '$exists') {
    return { ...common, reason: `path does ${values === undefined ? 'not ' : ''}exist` };
  }
  if (values === undefined) return { ...common, reason: 'field was missing' };
  const failed = mismatchOf(operatorName, values) ?? {
    reason: geometryReason(operatorName, values, field.name, decided) ?? reasonOf(operatorName, inverted),
  };
  const types = operatorName === '$type' ? typesOf(values) : {};
  return { ...common, ...failed, ...listed(values), ...types };
}

function geometryReason(
  operator: string,
  values: Considered,
  path: string,
  { document, environment: { statement } }: Decided,
): string | undefined {
  if (operator !== '$geoWithin' && operator !== '$geoIntersects') return undefined;
  const candidates = [...(values ?? []), ...(document.has(path) ? [document.get(path) as Value] : [])];
  const isGeometry = (value: Value) => storedGeometry(value, statement) !== undefined;
  return candidates.some(isGeometry) ? undefined : 'could not find a valid geometry at the given path';
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
