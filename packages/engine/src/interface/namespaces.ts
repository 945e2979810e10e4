/** Rules for the names of databases and collections, which clusters and the API share. */

const MAX_DATABASE_BYTES = 63;
export const MAX_NAMESPACE_BYTES = 255;
const forbiddenInDatabase = /[/\\. "$\0]/;

export function isDatabaseName(name: string): boolean {
  const bytes = Buffer.byteLength(name);
  return bytes > 0 && bytes <= MAX_DATABASE_BYTES && !forbiddenInDatabase.test(name);
}

/** True if a collection with this name can be read, whether or not it exists. */
export function isCollectionName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !name.includes('\0');
}

export function isTooLong(namespace: string): boolean {
  return Buffer.byteLength(namespace) > MAX_NAMESPACE_BYTES;
}
