import { bsonTypes } from '../../bson-types.ts';
import type { Environment } from '../../expression/environment.ts';
import { documentOf, RawDocument } from '../../raw.ts';
import type { Sort } from '../../sort.ts';
import { type Element, nullValue, type Value } from '../../value.ts';
import type { Accumulator, AccumulatorContext, CreateAccumulator } from '../accumulators/accumulator.ts';
import { accumulatorContext, accumulators } from '../accumulators/index.ts';
import { fillFunctions } from './fill.ts';
import { parseWindow, wrong } from './frame.ts';
import type { Partition, Span, Window, WindowFunction } from './partition.ts';
import { rankFunctions } from './ranks.ts';
import { seriesFunctions } from './series.ts';

export interface FunctionContext extends AccumulatorContext {
  readonly sort: Sort | undefined;
  /** As written; `undefined` where no window is given. */
  readonly windowSpec: Value | undefined;
  readonly window: Window;
}

export type CompileFunction = (operand: Element, context: FunctionContext) => WindowFunction;

export type FunctionTable = Readonly<Record<string, CompileFunction>>;

const functions = new Map<string, CompileFunction>(
  Object.entries({ ...rankFunctions, ...seriesFunctions, ...fillFunctions }),
);

/** `{$function: argument, window: {…}}` */
export function compileFunction(
  spec: Element,
  environment: Environment,
  sort: Sort | undefined,
): WindowFunction {
  if (spec.type !== bsonTypes.object) {
    throw wrong(`The field '${spec.name}' must be an object`);
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
  const context = {
    ...accumulatorContext(environment),
    sort,
    windowSpec,
    window: parseWindow(windowSpec, sort),
  };
  const own = functions.get(operator.name);
  if (own !== undefined) return own(operator, context);
  const kind = accumulators.get(operator.name);
  if (kind === undefined) throw wrong(`Unrecognized window function, ${operator.name}`);
  return accumulated(kind(operator, context), context.window);
}

/** An accumulator over the window of each document. */
function accumulated(create: CreateAccumulator, { frame }: Window): WindowFunction {
  return (partition) => {
    const spanOf = frame(partition);
    const moving = new MovingAccumulator(partition, create);
    return partition.docs.map((_, place) => moving.over(spanOf(place)));
  };
}

/** Goes on where the window only grew at its end, which spares going over all of it again. */
class MovingAccumulator {
  readonly #partition: Partition;
  readonly #create: CreateAccumulator;
  #accumulator: Accumulator | undefined;
  #from = 0;
  #next = 0;

  constructor(partition: Partition, create: CreateAccumulator) {
    this.#partition = partition;
    this.#create = create;
  }

  over({ from, to }: Span): Value {
    if (this.#accumulator === undefined || from !== this.#from || to + 1 < this.#next) {
      this.#accumulator = this.#create(RawDocument.empty);
      this.#from = from;
      this.#next = from;
    }
    for (; this.#next <= to; this.#next++) {
      this.#accumulator.add({ root: this.#partition.docs[this.#next] as RawDocument });
    }
    return this.#accumulator.result() ?? nullValue;
  }
}
