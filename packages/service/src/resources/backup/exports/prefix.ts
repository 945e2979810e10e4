import { createHash } from 'node:crypto';

/** This file computes the object keys of exported files. */

interface Origin {
  readonly orgId: string;
  readonly orgName: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly clusterName: string;
}

/** Replaces white space by underscores and drops special characters (docs/contract/clusters.md 3.6). */
const sanitized = (name: string) => name.replace(/\s/g, '_').replace(/[^\p{L}\p{N}_-]/gu, '');

/** Returns the key prefix of an export. Exports of the same snapshot have different seconds. */
export function prefixOf(place: Origin, at: { snapshot: Date; second: number; names: boolean }): string {
  const { orgId, orgName, groupId, groupName, clusterName } = place;
  const [org, group] = at.names ? [sanitized(orgName), sanitized(groupName)] : [orgId, groupId];
  const taken = at.snapshot.toISOString().slice(0, 16).replace(/:/g, '');
  // If no characters of the name remain, the id replaces it.
  const parts = ['exported_snapshots', org || orgId, group || groupId, clusterName, taken, at.second];
  return parts.join('/');
}

/** Returns the Unix time in a prefix, in seconds. */
export function secondOf(prefix: string): number {
  return Number(prefix.slice(prefix.lastIndexOf('/') + 1));
}

/** The limit of S3 and Google Cloud Storage in bytes. Azure has a limit of the same number of characters. */
const MAX_KEY_BYTES = 1024;
/**
 * The length of the longest file name in a folder, in bytes: the name of a cluster or shard, a number and
 * `.json.gz`.
 */
const FILE_BYTES = 96;
const HASH_BYTES = 30;

/**
 * Returns the folder of a collection's files. If the name of the collection is too long for a key, the folder has a
 * truncated name and a hash of the name.
 */
export function folderOf(
  prefix: string,
  { database, name }: { readonly database: string; readonly name: string },
): string {
  const above = `${prefix}/${partOf(database)}/`;
  const whole = partOf(name);
  const room = MAX_KEY_BYTES - FILE_BYTES - Buffer.byteLength(above);
  if (Buffer.byteLength(whole) <= room) return above + whole;
  let cut = '';
  for (const character of name) {
    const next = cut + (character === '.' ? character : partOf(character));
    if (Buffer.byteLength(next) > room - HASH_BYTES) break;
    cut = next;
  }
  return `${above}${cut}%24${createHash('sha1').update(name).digest('base64url')}`;
}

/** Escapes a database or collection name, so that it is a single path segment. */
export function partOf(name: string): string {
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E');
  return name.replace(/[%/\\\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
