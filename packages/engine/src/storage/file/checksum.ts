import { crc32 } from 'node:zlib';
import { StorageError } from './storage-error.ts';

/** Where a stored document lies, for the sentence that says it is damaged. */
export interface DocumentPlace {
  readonly file: string;
  readonly table: string;
  readonly rid: number;
}

/** What is stored beside some bytes: 0.3 ns for each. SQLite itself notices damage to its own pages' structure alone. */
export function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes);
}

/** So much of a document can be read and compared without the rest: in most, some of the fields that are asked for. */
export const BEGINNING = 128;

/** Of the checksum of a document the upper bits are that of its beginning: 53 bits are what a double holds exactly. */
const UPPER = 2 ** 32;
const BEGINNING_BITS = 21;

/** What is stored beside a document of a collection: a checksum of all of it, and one of its beginning. */
export function documentChecksum(document: Uint8Array): number {
  const { buffer, byteOffset, length } = document;
  const view = new DataView(buffer, byteOffset, length);
  return beginningChecksum(view, 0, Math.min(BEGINNING, length)) * UPPER + crc32(document);
}

/**
 * FNV-1a over words, of which every second one goes its own way, so that the processor does two at a time: of so few
 * bytes a call of crc32 costs several times as much. Not 0, which says that there is none.
 */
export function beginningChecksum(view: DataView, start: number, end: number): number {
  let even = 0x811c9dc5;
  let odd = 0x050c5d1f;
  let at = start;
  for (; at + 8 <= end; at += 8) {
    even = Math.imul(even ^ view.getInt32(at, true), 0x01000193);
    odd = Math.imul(odd ^ view.getInt32(at + 4, true), 0x01000193);
  }
  for (; at < end; at++) even = Math.imul(even ^ view.getUint8(at), 0x01000193);
  const both = even ^ Math.imul(odd ^ (odd >>> 15), 0x85ebca6b);
  const hash = Math.imul(both ^ (both >>> 15), 0x2c1b3c6d);
  return hash >>> (32 - BEGINNING_BITS) || 1;
}

/**
 * Throws where a document is not what was stored. Those of files made before format 6 have no checksum, or 0; those from
 * before format 8 have none of the beginning.
 */
export function checkDocument(
  document: Uint8Array,
  checksum: number | null | undefined,
  { file, table, rid }: DocumentPlace,
): void {
  if (!checksum || crc32(document) === checksum >>> 0) return;
  throw new StorageError(file, 'damaged', `is damaged: row ${rid} of ${table} does not fit its checksum`);
}
