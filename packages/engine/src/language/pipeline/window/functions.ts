import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import type { Environment } from '../../environment.ts';
import { accumulatorContext, accumulators } from '../../expression/accumulators/index.ts';
import type { Sort } from '../../sort.ts';
import { covarianceFunctions } from './covariance.ts';
import { fillFunctions } from './fill.ts';
import { parseWindow, wrong } from './frame.ts';
import { accumulated } from './moving.ts';
import { averageFunctions } from './moving-average.ts';
import type { WindowFunction } from './partition.ts';
import { notAlone, rankFunctions, rankNames } from './ranks.ts';
import { scalerFunctions } from './scaler.ts';
import { seriesFunctions } from './series.ts';
import { slidingAccumulators } from './sliding.ts';
import type { CompileFunction, FunctionContext } from './window-function.ts';

/** Window functions other than accumulators, by name. */
export const functions = new Map<string, CompileFunction>(
  Object.entries({
    ...rankFunctions,
    ...seriesFunctions,
    ...averageFunctions,
    ...covarianceFunctions,
    ...fillFunctions,
    ...scalerFunctions,
  }),
);

/** Compiles a window function in the form `{$function: argument, window: {…}}`. */
export function compileFunction(
  spec: Element,
  environment: Environment,
  sort: Sort | undefined,
): WindowFunction {
  if (spec.type !== bsonTypes.object) {
    throw wrong(`The field '${spec.name}' must be an object`);
  }
  const [first, ...others] = documentOf(spec);
  if (first !== undefined && others.length > 0 && rankNames.has(first.name)) throw notAlone(first.name);
  if (first !== undefined && [first, ...others].every(({ name }) => !name.startsWith('$'))) {
    throw wrong(`Expected a $-prefixed window function, ${first.name}`);
  }
  let operator: Element | undefined;
  let windowSpec: Value | undefined;
  for (const element of documentOf(spec)) {
    if (element.name === 'window') windowSpec = element;
    else if (!element.name.startsWith('$')) {
      throw wrong(`Window function found an unknown argument: ${element.name}`);
    } else if (operator !== undefined) {
      throw wrong(`Cannot specify two functions in window function spec: ${element.name}`);
    } else operator = element;
  }
  if (operator === undefined) throw wrong('Expected a $-prefixed window function');
  const context = accumulatorContext(environment);
  return functionOf(operator, {
    ...context,
    listed: 'value',
    sort,
    windowSpec,
    window: parseWindow(windowSpec, sort, (value) => context.compile(value).constant),
  });
}

function functionOf(operator: Element, context: FunctionContext): WindowFunction {
  const own = functions.get(operator.name);
  if (own !== undefined) return own(operator, context);
  const kind = accumulators.get(operator.name);
  if (kind === undefined) throw wrong(`Unrecognized window function, ${operator.name}`);
  const sliding = slidingAccumulators[operator.name];
  const create = sliding !== undefined && context.window.slides ? sliding : kind;
  return accumulated(create(operator, context), context);
}
