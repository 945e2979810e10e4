/**
 * This file contains rules for the names of databases and collections. They apply both in clusters and in the API.
 */

/** The databases of the server itself. */
export const ownDatabases: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** The namespace of the cursors of the command `bulkWrite`. */
export const BULK_WRITE_NAMESPACE = 'admin.$cmd.bulkWrite';

const MAX_DATABASE_BYTES = 63;
export const MAX_NAMESPACE_BYTES = 255;
const forbiddenInDatabase = /[/\\. "$\0]/;

export function isDatabaseName(name: string): boolean {
  const bytes = Buffer.byteLength(name);
  return bytes > 0 && bytes <= MAX_DATABASE_BYTES && !forbiddenInDatabase.test(name);
}

/** True if the name is valid for reading a collection, whether or not the collection exists. */
export function isCollectionName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !name.includes('\0');
}

export function isTooLong(namespace: string): boolean {
  return Buffer.byteLength(namespace) > MAX_NAMESPACE_BYTES;
}
