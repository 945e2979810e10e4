import { type Interval, isPoint } from '../../language/filter/bounds.ts';
import type { StoredRecord } from './page.ts';
import type { RecordStream } from './scan.ts';

/** How the records of one interval of keys are read. */
export interface IntervalReader {
  find(key: Uint8Array): StoredRecord | undefined;
  scan(interval: Interval): RecordStream;
  /** Called before each interval: half a million may have no record. */
  check(): void;
}

/** The records of several intervals, one after the other. */
export class IntervalStream implements RecordStream {
  readonly #reader: IntervalReader;
  readonly #intervals: readonly Interval[];
  #at = 0;
  #current: RecordStream | undefined;

  /** `intervals` in the order in which they are visited. */
  constructor(reader: IntervalReader, intervals: readonly Interval[]) {
    this.#reader = reader;
    this.#intervals = intervals;
  }

  next(): StoredRecord | undefined {
    for (;;) {
      const record = this.#current?.next();
      if (record !== undefined) return record;
      this.#current = undefined;
      const interval = this.#intervals[this.#at++];
      if (interval === undefined) return undefined;
      this.#reader.check();
      if (isPoint(interval)) {
        const found = this.#reader.find(interval.low.key);
        if (found !== undefined) return found;
      } else {
        this.#current = this.#reader.scan(interval);
      }
    }
  }

  release(): void {
    this.#current?.release();
  }

  get ended(): boolean {
    return this.#at >= this.#intervals.length && (this.#current?.ended ?? true);
  }
}
