import type { StoredRecord } from './page.ts';
import type { RecordStream } from './scan.ts';

/** Yields the records of several access paths, one path after the other, each record once. */
export class Union implements RecordStream {
  readonly #streams: readonly RecordStream[];
  readonly #seen = new Set<number>();
  #at = 0;

  constructor(streams: readonly RecordStream[]) {
    this.#streams = streams;
  }

  next(): StoredRecord | undefined {
    for (let stream = this.#streams[this.#at]; stream !== undefined; stream = this.#streams[++this.#at]) {
      for (let record = stream.next(); record !== undefined; record = stream.next()) {
        if (this.#seen.has(record.rid)) continue;
        this.#seen.add(record.rid);
        return record;
      }
    }
    return undefined;
  }

  release(): void {
    this.#streams[this.#at]?.release();
  }

  get ended(): boolean {
    return this.#at >= this.#streams.length;
  }
}
