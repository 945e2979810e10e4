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
 * Accumulates the windows of successive documents. Adds the documents by which a window grew at its end, and removes
 * those that left it at its start. If this is impossible, starts with a new accumulator.
 */
class MovingAccumulator {
  readonly #partition: Partition;
  readonly #create: CreateAccumulator;
  readonly #statement: Statement;
  #accumulator: Accumulator | undefined;
  #from = 0;
  #next = 0;
  /** The cached result, valid until the window changes. */
  #result: Value | undefined;

  constructor(partition: Partition, create: CreateAccumulator, statement: Statement) {
    this.#partition = partition;
    this.#create = create;
    this.#statement = statement;
  }

  over({ from, to }: Span): Value {
    const accumulator = this.#begun(from, to);
    for (; this.#next <= to; this.#next++) {
      this.#statement.check();
      accumulator.add({ root: this.#partition.docs[this.#next] as RawDocument });
      this.#result = undefined;
    }
    // The reference server adds before it removes, which affects the rounding of `$covariancePop`.
    for (; this.#from < from; this.#from++) {
      this.#statement.check();
      accumulator.removeFirst?.();
      this.#result = undefined;
    }
    this.#result ??= accumulator.result() ?? nullValue;
    return this.#result;
  }

  /** Returns the accumulator of the previous window if it can be used for this window, and otherwise a new one. */
  #begun(from: number, to: number): Accumulator {
    const known = this.#accumulator;
    const hasStart =
      from === this.#from || (known?.removeFirst !== undefined && from > this.#from && from <= this.#next);
    if (known !== undefined && hasStart && to + 1 >= this.#next) return known;
    const begun = this.#create(RawDocument.empty);
    this.#accumulator = begun;
    this.#from = from;
    this.#next = from;
    this.#result = undefined;
    return begun;
  }
}
