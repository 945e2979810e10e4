import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Environment } from '../../environment.ts';
import { keepParts } from '../../parts.ts';
import { compileExpression } from '../compile.ts';
import { constant, type Expression } from '../expression.ts';
import type { AccumulatorContext, AccumulatorKind, CreateAccumulator } from './accumulator.ts';
import { firstLastNAccumulators } from './first-last-n.ts';
import { wrappedExtreme } from './grouped-value.ts';
import { numericAccumulators } from './numeric.ts';
import { percentileAccumulators } from './percentile.ts';
import { pickingAccumulators } from './picking.ts';
import { scriptAccumulators } from './script.ts';

export type { Accumulator } from './accumulator.ts';

export const accumulators: ReadonlyMap<string, AccumulatorKind> = new Map(
  Object.entries({
    ...numericAccumulators,
    ...pickingAccumulators,
    ...firstLastNAccumulators,
    ...percentileAccumulators,
    ...scriptAccumulators,
  }),
);

export interface AccumulatedField {
  readonly name: string;
  readonly create: CreateAccumulator;
  /** True for `$first` and `$last`, whose result is the value of one document. */
  readonly picks: boolean;
}

const picking: ReadonlySet<string> = new Set(['$first', '$last']);

/** The accumulators for which constants are wrapped at compilation: MinKey and MaxKey become documents. */
const pickingConstants: ReadonlySet<string> = new Set(['$min', '$max', '$addToSet']);

/** Compiles a field of `$group` and similar stages: `{name: {$accumulator: argument}}`. */
export function compileAccumulatedField(
  element: Element,
  environment: Environment,
  guard: (expression: Expression) => Expression = (expression) => expression,
): AccumulatedField {
  keepParts('a pipeline');
  const { name } = element;
  if (name.includes('.')) throw new ServerError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) {
    throw new ServerError(40236, `The field name '${name}' cannot be an operator name`);
  }
  const operator = element.type === bsonTypes.object ? documentOf(element).first() : undefined;
  if (!operator?.name.startsWith('$')) {
    throw new ServerError(40234, `The field '${name}' must be an accumulator object`);
  }
  if (documentOf(element).after(operator) !== undefined) {
    throw new ServerError(40238, `The field '${name}' must specify one accumulator`);
  }
  const kind = accumulators.get(operator.name);
  if (kind === undefined) throw new ServerError(15952, `unknown group operator '${operator.name}'`);
  const context = accumulatorContext(environment);
  const compile = (value: Value) => {
    const expression = context.compile(value);
    if (pickingConstants.has(operator.name) && expression.constant !== undefined) {
      return constant(wrappedExtreme(expression.constant));
    }
    const guarded = value.type === bsonTypes.object ? guard(expression) : expression;
    return operator.name === '$addToSet' ? wrapping(guarded) : guarded;
  };
  const create = kind(operator, { ...context, compile });
  return { name, create, picks: picking.has(operator.name) };
}

/** Wraps MinKey and MaxKey in documents, as the server does in group keys and in the sets of `$addToSet`. */
function wrapping(expression: Expression): Expression {
  return {
    ...expression,
    evaluate(scope) {
      const value = expression.evaluate(scope);
      return value && wrappedExtreme(value);
    },
  };
}

export function accumulatorContext(environment: Environment): AccumulatorContext {
  return { environment, compile: (value) => compileExpression(value, environment) };
}
