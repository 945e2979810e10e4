import { crc32 } from 'node:zlib';
import { StorageError } from './storage-error.ts';

/** Where a stored document lies, for the sentence that says it is damaged. */
export interface DocumentPlace {
  readonly file: string;
  readonly table: string;
  readonly rid: number;
}

/** What is stored beside a document: 0.3 ns for a byte. SQLite itself notices damage to its own pages' structure alone. */
export function checksumOf(document: Uint8Array): number {
  return crc32(document);
}

/** Throws where a document is not what was stored. Those of files made before format 6 have no checksum, or 0. */
export function checkDocument(
  document: Uint8Array,
  checksum: number | null | undefined,
  { file, table, rid }: DocumentPlace,
): void {
  if (!checksum || crc32(document) === checksum) return;
  throw new StorageError(file, 'damaged', `is damaged: row ${rid} of ${table} does not fit its checksum`);
}
