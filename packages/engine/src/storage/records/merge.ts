import type { RawDocument } from '../../bson/raw.ts';
import type { StoredRecord } from './page.ts';
import type { RecordStream } from './scan.ts';

/** How many records each stream should read at first, because there may be hundreds of streams. */
export const FIRST_ROWS = 8;

/** Yields the records of several sorted streams in their order, each record once. */
export class Merge implements RecordStream {
  readonly #streams: readonly RecordStream[];
  readonly #compare: (a: RawDocument, b: RawDocument) => number;
  /** The rows that were already returned; set if several streams can contain the same row. */
  readonly #seen: Set<number> | undefined;
  /** The streams that have a next record, with this record, in descending order of the records. */
  #heads: Head[] | undefined;

  /** `distinct` is true if no two streams contain the same row. */
  constructor(
    streams: readonly RecordStream[],
    compare: (a: RawDocument, b: RawDocument) => number,
    distinct: boolean,
  ) {
    this.#streams = streams;
    this.#compare = compare;
    this.#seen = distinct ? undefined : new Set();
  }

  next(): StoredRecord | undefined {
    if (this.#heads === undefined) {
      this.#heads = [];
      for (const stream of this.#streams) this.#advance(stream, this.#heads);
    }
    for (let head = this.#heads.pop(); head !== undefined; head = this.#heads.pop()) {
      this.#advance(head.stream, this.#heads);
      const { record } = head;
      if (this.#seen?.has(record.rid)) continue;
      this.#seen?.add(record.rid);
      return record;
    }
    return undefined;
  }

  /** Inserts the next record of a stream at its place. */
  #advance(stream: RecordStream, heads: Head[]): void {
    const record = stream.next();
    if (record === undefined) return;
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = heads[middle] as Head;
      if (this.#compare(other.record.doc, record.doc) > 0) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, { record, stream });
  }

  /** Keeps the next record of each stream, because the stream has already passed it. */
  release(): void {
    for (const stream of this.#streams) stream.release();
  }

  get ended(): boolean {
    return this.#heads?.length === 0;
  }
}

interface Head {
  readonly record: StoredRecord;
  readonly stream: RecordStream;
}
