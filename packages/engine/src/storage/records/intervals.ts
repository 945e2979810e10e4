import { type Interval, isPoint } from '../../language/filter/bounds.ts';
import type { StoredRecord } from './page.ts';
import type { RecordStream } from './scan.ts';

/** Reads the records in one interval of keys. */
export interface IntervalReader {
  find(key: Uint8Array): StoredRecord | undefined;
  scan(interval: Interval): RecordStream;
  /** Called before each interval, because there may be half a million intervals without any record. */
  check(): void;
}

/** Yields the records of several intervals, one interval after the other. */
export class IntervalStream implements RecordStream {
  readonly #reader: IntervalReader;
  readonly #intervals: readonly Interval[];
  #at = 0;
  #current: RecordStream | undefined;

  /** `intervals` must be in scan order. */
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
