import { readInt32 } from '../../bson/bytes.ts';
import { RawDocument } from '../../bson/raw.ts';
import { checksumOf } from '../file/checksum.ts';

/** A stored document and its row id. */
export interface StoredRecord {
  readonly rid: number;
  readonly doc: RawDocument;
}

/**
 * A stored document of a page. The class keeps these objects apart from the literals `{ rid, doc }` of the oplog. V8
 * uses one representation for all literals with these fields, and the large row ids of the oplog change it. V8 would
 * then convert every object of a page, which takes an eighth of the time of a sort.
 */
export class PagedRecord implements StoredRecord {
  readonly rid: number;
  readonly doc: RawDocument;

  constructor(rid: number, doc: RawDocument) {
    this.rid = rid;
    this.doc = doc;
  }
}

/** A sequence of documents that were read together. */
export interface Page {
  readonly rows: number;
  readonly bytes: number;
  /** True if no row followed this page when it was read. */
  readonly last: boolean;
  next(): StoredRecord | undefined;
  /** The checksum of the document returned last; undefined if it has none or was already verified. */
  readonly checksum: number | undefined;
  /** True if the documents lack some of their fields. */
  readonly isCut?: boolean;
}

/** A summary of concatenated documents. */
export interface Content {
  readonly rows: number;
  /** The sum of the documents' checksums. */
  readonly sum: number;
}

/** Summarizes concatenated documents. Returns undefined if the length of a document is damaged. */
export function contentOf(packed: Uint8Array): Content | undefined {
  let rows = 0;
  let sum = 0;
  for (let at = 0; at < packed.length; rows++) {
    const length = readInt32(packed, at);
    if (length < SMALLEST || length > packed.length - at) return undefined;
    sum += checksumOf(packed.subarray(at, at + length));
    at += length;
  }
  return { rows, sum };
}

/**
 * Small documents in one buffer. SQLite concatenates them, which is two to three times as fast as passing each row to
 * JavaScript (1.8 versus 0.7 million documents of 1 KB per second).
 */
export class PackedPage implements Page {
  readonly rows: number;
  readonly last: boolean;
  readonly #packed: Uint8Array;
  readonly #ids: RowIds;
  readonly #sums: string | undefined;
  #at = 0;
  #row = -1;
  /** The checksums of the documents. Split on first use, because many scans use only a few documents. */
  #checksums: readonly string[] | undefined;

  /**
   * `ids` and `sums` are the row ids and checksums, joined by commas. The checksum is 0 if a document has none. Without
   * `sums`, the documents are already verified.
   */
  constructor(rows: number, last: boolean, packed: Uint8Array, ids: string, sums?: string) {
    this.rows = rows;
    this.last = last;
    this.#packed = packed;
    this.#ids = new RowIds(ids);
    this.#sums = sums;
  }

  get bytes(): number {
    return this.#packed.length;
  }

  next(): StoredRecord | undefined {
    const at = this.#at;
    if (at >= this.#packed.length) return undefined;
    const length = readInt32(this.#packed, at);
    // If the length is damaged, the document would be too short or end beyond the page.
    if (length < SMALLEST || length > this.#packed.length - at) throw new BrokenPage();
    this.#at = at + length;
    this.#row++;
    return new PagedRecord(this.#ids.next(), new RawDocument(this.#packed, at, length));
  }

  get checksum(): number | undefined {
    if (this.#sums === undefined) return undefined;
    this.#checksums ??= this.#sums.split(',');
    return Number(this.#checksums[this.#row]);
  }
}

/** Reads row ids that are joined by commas. */
export class RowIds {
  readonly #ids: string;
  #at = 0;

  constructor(ids: string) {
    this.#ids = ids;
  }

  next(): number {
    const ids = this.#ids;
    let id = 0;
    let at = this.#at;
    for (; at < ids.length && ids.charCodeAt(at) !== COMMA; at++) id = id * 10 + ids.charCodeAt(at) - ZERO;
    this.#at = at + 1;
    return id;
  }
}

/** Thrown if the document lengths of a page are inconsistent. */
export class BrokenPage extends Error {
  override readonly name = 'BrokenPage';
}

const SMALLEST = 5;
const COMMA = 44;
const ZERO = 48;

/** A document that was read individually, with its stored checksum. */
export interface CheckedRecord extends StoredRecord {
  readonly checksum: number | undefined;
}

/** A page of rows that were read one by one, for large documents. */
export class RowPage implements Page {
  readonly bytes: number;
  readonly last: boolean;
  readonly #records: readonly CheckedRecord[];
  #at = 0;

  constructor(records: readonly CheckedRecord[], last: boolean) {
    this.#records = records;
    this.last = last;
    this.bytes = records.reduce((sum, record) => sum + record.doc.length, 0);
  }

  get rows(): number {
    return this.#records.length;
  }

  get checksum(): number | undefined {
    return this.#records[this.#at - 1]?.checksum;
  }

  next(): StoredRecord | undefined {
    return this.#records[this.#at++];
  }
}
