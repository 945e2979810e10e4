import { firstIndex } from '@portolan/foundation/first-index';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { outOfMemory } from '../../language/workspace.ts';
import type { RunningStatement } from '../model/running-statement.ts';
import { idKey } from './id-key.ts';
import type { StoredRecord } from './page.ts';
import { RowSet } from './row-set.ts';
import type { RecordStream } from './scan.ts';

/** How many records each stream should read at first, because there may be hundreds of streams. */
export const FIRST_ROWS = 8;
/** A document that is longer than this stays in memory only with the fields by which it is sorted. */
const WHOLE_BYTES = 16 * 1024;
/** Limit for the fields of all next records, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The order of a merge. */
export interface MergeOrder {
  readonly compare: (a: RawDocument, b: RawDocument) => number;
  readonly sort: RawDocument;
  /** Set if no two streams contain the same row. */
  readonly whole?: unknown;
}

export interface MergeOptions {
  readonly running: RunningStatement;
  /** Returns the record with this encoded `_id`, or undefined if it was deleted. */
  readonly find: (key: Uint8Array) => StoredRecord | undefined;
}

/** Yields the records of several sorted streams in their order, each record once. */
export class Merge implements RecordStream {
  readonly #streams: readonly RecordStream[];
  readonly #compare: MergeOrder['compare'];
  /** The names of the top-level fields by which the records are sorted. */
  readonly #names: ReadonlySet<string>;
  readonly #find: MergeOptions['find'];
  readonly #running: RunningStatement;
  /** The rows that were already returned; set if several streams can contain the same row. */
  readonly #seen: RowSet | undefined;
  /** The streams that have a next record, with this record, in descending order of the records. */
  #heads: Head[] | undefined;
  /** Total size of the fields in `#heads` that are kept without their document. */
  #bytes = 0;

  constructor(
    streams: readonly RecordStream[],
    { compare, sort, whole }: MergeOrder,
    { running, find }: MergeOptions,
  ) {
    this.#streams = streams;
    this.#compare = compare;
    this.#names = new Set([...sort].map(({ name }) => name.split('.', 1)[0] ?? ''));
    this.#find = find;
    this.#running = running;
    this.#seen = whole === undefined ? new RowSet((bytes) => running.keep(bytes, 'SORT_MERGE')) : undefined;
  }

  next(): StoredRecord | undefined {
    if (this.#heads === undefined) {
      this.#heads = [];
      for (const stream of this.#streams) this.#advance(stream, this.#heads);
    }
    for (let head = this.#heads.pop(); head !== undefined; head = this.#heads.pop()) {
      const record = this.#recordOf(head);
      this.#advance(head.stream, this.#heads);
      if (record === undefined || this.#seen?.add(record.rid) === false) continue;
      return record;
    }
    return undefined;
  }

  /** Reads the document again, if it is not in memory. Returns undefined if it was deleted. */
  #recordOf({ record, key, fields }: Head): StoredRecord | undefined {
    if (record !== undefined) return record;
    this.#count(-fields.length);
    return this.#find(key);
  }

  /** Inserts the next record of a stream at its place. */
  #advance(stream: RecordStream, heads: Head[]): void {
    const record = stream.next();
    if (record === undefined) return;
    const head: Head = { stream, record, fields: record.doc, key: NO_KEY };
    if (record.doc.length > WHOLE_BYTES) {
      this.#shorten(head);
      stream.release();
    }
    const place = firstIndex(heads, (other) => this.#compare(other.fields, head.fields) <= 0);
    heads.splice(place, 0, head);
  }

  /** Keeps only the fields of the next record that the order needs. */
  #shorten(head: Head): void {
    if (head.record === undefined) return;
    const { doc } = head.record;
    head.key = idKey(doc);
    head.fields = writeDocument((writer) => {
      for (const field of doc) if (this.#names.has(field.name)) writer.field(field.name, field);
    });
    head.record = undefined;
    this.#count(head.fields.length);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    const { operation } = this.#running;
    if (operation !== undefined) operation.memory.bytes += bytes;
    if (this.#bytes > MAX_BYTES)
      throw outOfMemory('SORT_MERGE: the sorted fields need too much memory', 'ExceededMemoryLimit');
  }

  /** The streams have already passed their next records. Therefore these are read again, by their `_id`s. */
  release(): void {
    for (const head of this.#heads ?? []) this.#shorten(head);
    for (const stream of this.#streams) stream.release();
  }

  get ended(): boolean {
    return this.#heads?.length === 0;
  }
}

const NO_KEY = new Uint8Array();

interface Head {
  readonly stream: RecordStream;
  /** Undefined if the document must be read again. */
  record: StoredRecord | undefined;
  /** The document, or only the fields by which it is sorted. */
  fields: RawDocument;
  /** The encoded `_id` of a document that must be read again. */
  key: Uint8Array;
}
