import { ServerError } from '../../errors/server-error.ts';
import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';

/**
 * A scan of a collection that removes its oldest documents. The scan fails if its last record is removed during a
 * pause, because later records may have been removed, too.
 */
export class PositionedScan implements RecordStream {
  readonly #records: RecordStream;
  readonly #holds: (rid: number) => boolean;
  #last: number | undefined;
  #paused = false;

  constructor(records: RecordStream, holds: (rid: number) => boolean) {
    this.#records = records;
    this.#holds = holds;
  }

  next(): StoredRecord | undefined {
    if (this.#paused && this.#last !== undefined && !this.#holds(this.#last)) {
      throw new ServerError(
        'CappedPositionLost',
        `CollectionScan died due to position in capped collection being deleted. Last seen record id: RecordId(${this.#last})`,
      );
    }
    this.#paused = false;
    const record = this.#records.next();
    if (record !== undefined) this.#last = record.rid;
    return record;
  }

  release(): void {
    this.#paused = true;
    this.#records.release();
  }

  get ended(): boolean {
    return this.#records.ended;
  }

  check(): void {
    this.#records.check?.();
  }

  whole(): StoredRecord | undefined {
    return this.#records.whole?.();
  }
}
