import type { Element, Value } from '../../../bson/value.ts';
import type { AccumulatorContext } from '../../expression/accumulators/accumulator.ts';
import type { Sort } from '../../sort.ts';
import type { Window, WindowFunction } from './partition.ts';

/** The context in which a window function is compiled. */
export interface FunctionContext extends AccumulatorContext {
  readonly sort: Sort | undefined;
  /** The window specification; undefined if the function has none. */
  readonly windowSpec: Value | undefined;
  readonly window: Window;
}

export type CompileFunction = (operand: Element, context: FunctionContext) => WindowFunction;

export type FunctionTable = Readonly<Record<string, CompileFunction>>;
