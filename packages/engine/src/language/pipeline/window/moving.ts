import { RawDocument } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import type { Accumulator, CreateAccumulator } from '../../expression/accumulators/accumulator.ts';
import type { Partition, Span, Window, WindowFunction } from './partition.ts';

/** An accumulator over each document's window. */
export function accumulated(create: CreateAccumulator, { frame }: Window): WindowFunction {
  return (partition) => {
    const spanOf = frame(partition);
    const moving = new MovingAccumulator(partition, create);
    return partition.docs.map((_, place) => moving.over(spanOf(place)));
  };
}

/** Continues if the window only grew at its end, rather than starting over. */
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
