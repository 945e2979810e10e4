import { bsonTypes } from '../../bson/bson-types.ts';
import { truthOfNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, type Element, isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { compileExpression, isExpressionOperator } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { checkFieldName, checkFieldPath, referenceNames } from '../field-path.ts';
import { mapParts } from '../parts.ts';

/** One path of a projection with its specification. */
export interface ProjectionField {
  readonly path: string;
  readonly action: 'include' | 'exclude' | Expression;
  /** The name of the expression operator, if there is one. */
  readonly operator?: string;
}

/**
 * Flattens a specification: a nested document is a longer path (`{a: {b: 1}}` means `{'a.b': 1}`) unless it contains an
 * operator.
 */
export function parseFields(spec: RawDocument, prefix = '', environment?: Environment): ProjectionField[] {
  return mapParts(spec, 'a projection', (element) => parseField(element, prefix, environment)).flat();
}

function parseField(
  element: Element,
  prefix: string,
  environment: Environment | undefined,
): ProjectionField | ProjectionField[] {
  const path = prefix + element.name;
  if (path.endsWith('.$') && names(element)) {
    throw new ServerError(31324, 'Cannot use positional projection in aggregation projection');
  }
  checkFieldPath(path, prefix !== '');
  if (isNumber(element)) return { path, action: truthOfNumber(element) ? 'include' : 'exclude' };
  if (element.type === bsonTypes.bool) return { path, action: boolOf(element) ? 'include' : 'exclude' };
  if (element.type !== bsonTypes.object) return { path, action: compileExpression(element, environment) };
  const inner = documentOf(element);
  const operator = inner.first()?.name;
  if (operator === undefined) {
    throw new ServerError(
      51270,
      `An empty sub-projection is not a valid value. Found empty object at path ${path}`,
    );
  }
  if (!operator.startsWith('$') || referenceNames.has(operator))
    return parseFields(inner, `${path}.`, environment);
  for (const { name } of inner) {
    // With a second field next to an operator, the server parses the operator as a field name.
    if (inner.first()?.name !== name) checkFieldName(operator);
  }
  if (operator === '$elemMatch') {
    throw new ServerError('InvalidPipelineOperator', `Unrecognized expression '${operator}'`);
  }
  if (!isExpressionOperator(operator)) {
    throw new ServerError(31325, `Invalid projection :: caused by :: Unknown expression ${operator}`);
  }
  return { path, action: compileExpression(element, environment), operator };
}

/** True if the value, such as `1` or `true`, includes the field. */
function names(value: Value): boolean {
  return isNumber(value) ? truthOfNumber(value) : value.type === bsonTypes.bool && boolOf(value);
}
