import type { Element, Value } from '../../../bson/value.ts';
import type { Sort } from '../../sort.ts';
import type { AccumulatorContext } from '../accumulators/accumulator.ts';
import type { Window, WindowFunction } from './partition.ts';

/** What a function of windows may use while it is compiled. */
export interface FunctionContext extends AccumulatorContext {
  readonly sort: Sort | undefined;
  /** As written; `undefined` where no window is given. */
  readonly windowSpec: Value | undefined;
  readonly window: Window;
}

export type CompileFunction = (operand: Element, context: FunctionContext) => WindowFunction;

export type FunctionTable = Readonly<Record<string, CompileFunction>>;
