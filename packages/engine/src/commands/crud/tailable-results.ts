import type { RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Filter } from '../../language/filter/index.ts';
import type { StoredRecord } from '../../storage/records/page.ts';
import type { RecordStream } from '../../storage/records/scan.ts';
import type { Results } from '../context/cursors.ts';

/** A collection to which documents are appended, and from which the oldest are removed. */
export interface Tailable {
  /** Scans the records after `rid`. If `rid` is undefined, scans all records. */
  scanAfter(rid: number | undefined): RecordStream;
  /** True if all records after `rid` still exist. */
  holds(rid: number): boolean;
}

export interface TailOptions {
  readonly filter: Filter;
  readonly project?: ((document: RawDocument) => RawDocument) | undefined;
  readonly skip: number;
  readonly limit: number;
  /** The id of a record. Neither this record nor the records before it match. */
  readonly after?: number | undefined;
}

/**
 * The result of a tailable cursor: the matching documents of a capped collection, including documents that are inserted
 * later. The cursor fails if the record that it has read last has been removed.
 */
export class TailableResults implements Results {
  readonly #collection: Tailable;
  readonly #options: TailOptions;
  #seen: number | undefined;
  #skipped = 0;
  #taken = 0;
  #held: RawDocument | undefined;
  #dead = false;

  constructor(collection: Tailable, options: TailOptions) {
    this.#collection = collection;
    this.#options = options;
    this.#seen = options.after;
  }

  take(limit: number): RawDocument[] {
    const batch: RawDocument[] = [];
    let bytes = 0;
    if (this.#held !== undefined) {
      batch.push(this.#held);
      bytes = this.#held.length;
      this.#held = undefined;
    }
    if (batch.length >= limit || this.#full || this.#dead) return batch;
    for (const document of this.#documents()) {
      if (bytes + document.length > MAX_DOCUMENT_SIZE && batch.length > 0) {
        this.#held = document.compact();
        break;
      }
      batch.push(document);
      bytes += document.length;
      if (batch.length >= limit || this.#full) break;
    }
    // If the collection contained no record, the cursor has no position from which it could continue, so it ends.
    this.#dead ||= this.#seen === undefined;
    return batch;
  }

  /** When the limit is reached, the cursor stays open but returns no more documents. */
  get ended(): boolean {
    return this.#dead;
  }

  get #full(): boolean {
    return this.#taken >= this.#options.limit;
  }

  *#documents(): Generator<RawDocument> {
    const { filter, project, skip } = this.#options;
    const records = this.#collection.scanAfter(this.#seen);
    if (this.#seen !== undefined && !this.#collection.holds(this.#seen)) throw positionLost(this.#seen);
    for (let record = records.next(); record !== undefined; record = records.next()) {
      this.#seen = record.rid;
      if (!this.#wants(record, filter, skip)) continue;
      this.#taken++;
      yield project === undefined ? record.doc : project(record.doc);
    }
  }

  #wants({ doc }: StoredRecord, filter: Filter, skip: number): boolean {
    if (!filter.matches(doc)) return false;
    if (this.#skipped >= skip) return true;
    this.#skipped++;
    return false;
  }
}

function positionLost(rid: number): ServerError {
  return new ServerError(
    'CappedPositionLost',
    `CollectionScan died due to failure to restore tailable cursor position. Last seen record id: RecordId(${rid})`,
  );
}
