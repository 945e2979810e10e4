import type { Statement } from '../../statement/statement.ts';
import type { StoredRecord } from './page.ts';
import { RowSet } from './row-set.ts';
import type { RecordStream } from './scan.ts';

/** Yields the records of several access paths, one path after the other, each record once. */
export class Union implements RecordStream {
  readonly #streams: readonly RecordStream[];
  readonly #seen: RowSet;
  #at = 0;

  constructor(streams: readonly RecordStream[], { running }: { readonly running: Pick<Statement, 'keep'> }) {
    this.#streams = streams;
    this.#seen = new RowSet((bytes) => running.keep(bytes, 'OR'));
  }

  next(): StoredRecord | undefined {
    for (let stream = this.#streams[this.#at]; stream !== undefined; stream = this.#streams[++this.#at]) {
      for (let record = stream.next(); record !== undefined; record = stream.next()) {
        if (this.#seen.add(record.rid)) return record;
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
