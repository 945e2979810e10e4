import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { StoredRecord } from '../records/page.ts';
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
  override insert(key: Uint8Array, measurement: RawDocument): boolean {
    const doc = this.#inOrder(measurement);
    if (super.insert(key, doc)) return true;
    const suffix = Buffer.alloc(SUFFIX_BYTES);
    suffix.writeBigUInt64BE(BigInt(this.#nextRow()));
    return super.insert(Buffer.concat([key, suffix]), doc);
  }

  override replace(record: StoredRecord, doc: RawDocument, difference?: RawDocument): void {
    super.replace(record, this.#inOrder(doc), difference);
  }

  /** Returns a measurement with the timeField and the metaField first, as the server reads it from a bucket. */
  #inOrder(doc: RawDocument): RawDocument {
    const series = this.options.document('timeseries');
    const first = [series?.string('timeField'), series?.string('metaField')].filter(
      (name) => name !== undefined,
    );
    return writeDocument((writer) => {
      for (const name of first) {
        const value = doc.get(name);
        if (value !== undefined) writer.field(name, value);
      }
      for (const element of doc) if (!first.includes(element.name)) writer.element(element);
    });
  }

  #nextRow(): number {
    const row = this.source().connection.get<[number | null]>(`SELECT max(rid) FROM ${this.table}`);
    return (row?.[0] ?? 0) + 1;
  }
}
