/** How databases and collections may be called: clusters and the API refuse the same names. */

const MOST_DATABASE_BYTES = 63;
export const MOST_NAMESPACE_BYTES = 255;
const forbiddenInDatabase = /[/\\. "$\0]/;

export function isDatabaseName(name: string): boolean {
  const bytes = Buffer.byteLength(name);
  return bytes > 0 && bytes <= MOST_DATABASE_BYTES && !forbiddenInDatabase.test(name);
}

/** A collection that may be read; nothing has to be there. */
export function isCollectionName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !name.includes('\0');
}

export function isTooLong(namespace: string): boolean {
  return Buffer.byteLength(namespace) > MOST_NAMESPACE_BYTES;
}
