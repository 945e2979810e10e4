import { bsonTypes } from '../../bson/bson-types.ts';
import { valueEnd } from '../../bson/bytes.ts';
import { RawDocument } from '../../bson/raw.ts';
import { BEGINNING, beginningChecksum } from '../file/checksum.ts';
import { type Page, PagedRecord, RowIds, type StoredRecord } from './page.ts';

/**
 * A page with the beginnings of large documents, for scans that need only fields stored there. Each document is cut
 * after the last of those fields and is a valid document without its other fields. For documents of 1 KB this halves
 * the time of a read.
 */
export class BeginningPage implements Page {
  readonly rows: number;
  readonly last: boolean;
  readonly checksum = undefined;
  readonly isCut = true;
  readonly #packed: Uint8Array;
  readonly #ids: RowIds;
  readonly #starts: Int32Array;
  #row = 0;

  constructor({ starts }: Beginnings, packed: Uint8Array, ids: string, last: boolean) {
    this.rows = starts.length;
    this.last = last;
    this.#packed = packed;
    this.#starts = starts;
    this.#ids = new RowIds(ids);
  }

  get bytes(): number {
    return this.#packed.length;
  }

  next(): StoredRecord | undefined {
    if (this.#row >= this.#starts.length) return undefined;
    const at = this.#starts[this.#row++] as number;
    return new PagedRecord(this.#ids.next(), new RawDocument(this.#packed, at));
  }
}

export interface Beginnings {
  /** Offsets of the documents. */
  readonly starts: Int32Array;
}

/**
 * Splits the concatenated beginnings of `rows` documents. `sum` is the sum of their checksums, or undefined to skip the
 * verification. Returns undefined if a document lacks one of the fields in its beginning, is damaged, or has no
 * checksum of its beginning.
 */
export function takeBeginnings(
  packed: Uint8Array,
  rows: number,
  fields: readonly Uint8Array[],
  sum: number | undefined,
): Beginnings | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const starts = new Int32Array(rows);
  let left = sum;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    if (at + 5 > packed.length) return undefined;
    const end = at + Math.min(BEGINNING, view.getInt32(at, true));
    if (end < at + 5 || end > packed.length) return undefined;
    if (left !== undefined) left -= beginningChecksum(view, at, end);
    if (!cut(packed, at, end, fields)) return undefined;
    starts[row] = at;
    at = end;
  }
  return at === packed.length && (left === undefined || left === 0) ? { starts } : undefined;
}

/** Ends the document at `at` after the last of the fields. Returns false if one of the fields may lie beyond `end`. */
function cut(bytes: Uint8Array, at: number, end: number, fields: readonly Uint8Array[]): boolean {
  const all = (1 << fields.length) - 1;
  let found = 0;
  let from = at + 4;
  while (found !== all) {
    const type = bytes[from] as number;
    if (type === 0) break;
    let nameEnd = from + 1;
    while (nameEnd < end && bytes[nameEnd] !== 0) nameEnd++;
    const next = endWithin(bytes, type, nameEnd + 1, end);
    if (next === undefined) return false;
    for (let i = 0; i < fields.length; i++) {
      if (isName(bytes, from + 1, nameEnd, fields[i] as Uint8Array)) found |= 1 << i;
    }
    from = next;
  }
  bytes[from] = 0;
  const length = from + 1 - at;
  bytes[at] = length;
  bytes[at + 1] = length >> 8;
  bytes[at + 2] = 0;
  bytes[at + 3] = 0;
  return true;
}

/**
 * Returns the end of a value that starts at `at`, if at least one byte follows before `end`. Otherwise returns
 * undefined.
 */
function endWithin(bytes: Uint8Array, type: number, at: number, end: number): number | undefined {
  // A regular expression has no length prefix, and the NULs that end it may lie beyond the beginning.
  if (type === bsonTypes.regex || type > LAST_TYPE) return undefined;
  if (at + LENGTH > end && !short.has(type)) return undefined;
  const next = valueEnd(bytes, type, at);
  return next >= at && next < end ? next : undefined;
}

const LENGTH = 4;
/** Types whose values are shorter than a length prefix. */
const short: ReadonlySet<number> = new Set([bsonTypes.bool, bsonTypes.null, bsonTypes.undefined]);
const LAST_TYPE = bsonTypes.decimal;

function isName(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}
