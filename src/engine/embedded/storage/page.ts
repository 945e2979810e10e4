import { readInt32 } from '../bson/bytes.ts';
import { RawDocument } from '../bson/raw.ts';

/** A stored document and its row. */
export interface StoredRecord {
  readonly rid: number;
  readonly doc: RawDocument;
}

/** Some documents that follow each other, read from the file at once. */
export interface Page {
  readonly rows: number;
  readonly bytes: number;
  /** No row followed when the page was read. */
  readonly last: boolean;
  next(): StoredRecord | undefined;
}

/**
 * Small documents of many rows, end to end in one buffer: SQLite joins them, which reads two to three times as fast
 * as taking each row to JavaScript by itself (1.8 against 0.7 million documents of 1 KB per second).
 */
export class PackedPage implements Page {
  readonly rows: number;
  readonly last: boolean;
  readonly #packed: Uint8Array;
  readonly #ids: string;
  #at = 0;
  #idAt = 0;

  /** `ids` are the row ids, joined by commas. */
  constructor(rows: number, last: boolean, packed: Uint8Array, ids: string) {
    this.rows = rows;
    this.last = last;
    this.#packed = packed;
    this.#ids = ids;
  }

  get bytes(): number {
    return this.#packed.length;
  }

  next(): StoredRecord | undefined {
    const at = this.#at;
    if (at >= this.#packed.length) return undefined;
    const length = readInt32(this.#packed, at);
    this.#at = at + length;
    return { rid: this.#nextId(), doc: new RawDocument(this.#packed, at, length) };
  }

  #nextId(): number {
    const ids = this.#ids;
    let id = 0;
    let at = this.#idAt;
    for (; at < ids.length && ids.charCodeAt(at) !== COMMA; at++) id = id * 10 + ids.charCodeAt(at) - ZERO;
    this.#idAt = at + 1;
    return id;
  }
}

const COMMA = 44;
const ZERO = 48;

/** Rows one by one: for documents that are large. */
export class RowPage implements Page {
  readonly bytes: number;
  readonly last: boolean;
  readonly #records: readonly StoredRecord[];
  #at = 0;

  constructor(records: readonly StoredRecord[], last: boolean) {
    this.#records = records;
    this.last = last;
    this.bytes = records.reduce((sum, record) => sum + record.doc.length, 0);
  }

  get rows(): number {
    return this.#records.length;
  }

  next(): StoredRecord | undefined {
    return this.#records[this.#at++];
  }
}
