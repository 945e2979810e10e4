import { RawDocument } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import type { Statement } from '../../../statement/statement.ts';
import type { Accumulator, CreateAccumulator } from '../../expression/accumulators/accumulator.ts';
import type { Partition, Span, WindowFunction } from './partition.ts';
import type { FunctionContext } from './window-function.ts';

/** Applies an accumulator to the window of each document. */
export function accumulated(
  create: CreateAccumulator,
  { window, environment }: FunctionContext,
): WindowFunction {
  return (partition) => {
    const spanOf = window.frame(partition);
    const moving = new MovingAccumulator(partition, create, environment.statement);
    return (place) => moving.over(spanOf(place));
  };
}

/**
 * Accumulates the windows of successive documents. If a window grew only at its end, adds the new documents.
 * Otherwise, starts with a new accumulator.
 */
class MovingAccumulator {
  readonly #partition: Partition;
  readonly #create: CreateAccumulator;
  readonly #statement: Statement;
  #accumulator: Accumulator | undefined;
  #from = 0;
  #next = 0;
  /** The cached result, valid until a document is added. */
  #result: Value | undefined;

  constructor(partition: Partition, create: CreateAccumulator, statement: Statement) {
    this.#partition = partition;
    this.#create = create;
    this.#statement = statement;
  }

  over({ from, to }: Span): Value {
    if (this.#accumulator === undefined || from !== this.#from || to + 1 < this.#next) {
      this.#accumulator = this.#create(RawDocument.empty);
      this.#from = from;
      this.#next = from;
      this.#result = undefined;
    }
    for (; this.#next <= to; this.#next++) {
      this.#statement.check();
      this.#accumulator.add({ root: this.#partition.docs[this.#next] as RawDocument });
      this.#result = undefined;
    }
    this.#result ??= this.#accumulator.result() ?? nullValue;
    return this.#result;
  }
}
