import type { RawDocument } from '../../bson/raw.ts';
import { Collection } from './collection.ts';

/** Length of a row number in a key; row numbers stay below 2^53. */
const SUFFIX_BYTES = 8;

/**
 * A collection of measurements. Several measurements may have the same `_id`, so they cannot be looked up by
 * `_id`.
 */
export class SeriesCollection extends Collection {
  override get identified(): boolean {
    return false;
  }

  /** Inserts a measurement. If its `_id` exists already, the row number is appended to the key to make it unique. */
  override insert(key: Uint8Array, doc: RawDocument): boolean {
    if (super.insert(key, doc)) return true;
    const suffix = Buffer.alloc(SUFFIX_BYTES);
    suffix.writeBigUInt64BE(BigInt(this.#nextRow()));
    return super.insert(Buffer.concat([key, suffix]), doc);
  }

  #nextRow(): number {
    const row = this.source().connection.get<[number | null]>(`SELECT max(rid) FROM ${this.table}`);
    return (row?.[0] ?? 0) + 1;
  }
}
