import { createHash } from 'node:crypto';

/** How exported files are named. */

interface Place {
  readonly orgId: string;
  readonly orgName: string;
  readonly groupId: string;
  readonly groupName: string;
  readonly clusterName: string;
}

/** Blanks are lines in names, other special characters are left out (reference 3.6). */
const inWords = (name: string) => name.replace(/\s/g, '_').replace(/[^\p{L}\p{N}_-]/gu, '');

/** What all names of one export begin with. Two exports of a snapshot differ in their second. */
export function prefixOf(place: Place, at: { snapshot: Date; second: number; names: boolean }): string {
  const { orgId, orgName, groupId, groupName, clusterName } = place;
  const [org, group] = at.names ? [inWords(orgName), inWords(groupName)] : [orgId, groupId];
  const taken = at.snapshot.toISOString().slice(0, 16).replace(/:/g, '');
  // A name of special characters alone leaves nothing.
  const parts = ['exported_snapshots', org || orgId, group || groupId, clusterName, taken, at.second];
  return parts.join('/');
}

/** The second of a prefix. */
export function secondOf(prefix: string): number {
  return Number(prefix.slice(prefix.lastIndexOf('/') + 1));
}

/** Of S3 and Google; Azure takes as many characters. */
const MOST_KEY_BYTES = 1024;
/** The longest of the files below: the name of a cluster or shard, a number, `.json.gz`. */
const FILE_BYTES = 96;
const HASH_BYTES = 30;

/** Where the files of a collection are. A name that is too long for a key is cut, and ends with its hash. */
export function folderOf(
  prefix: string,
  { database, name }: { readonly database: string; readonly name: string },
): string {
  const above = `${prefix}/${partOf(database)}/`;
  const whole = partOf(name);
  const room = MOST_KEY_BYTES - FILE_BYTES - Buffer.byteLength(above);
  if (Buffer.byteLength(whole) <= room) return above + whole;
  let cut = '';
  for (const character of name) {
    const next = cut + (character === '.' ? character : partOf(character));
    if (Buffer.byteLength(next) > room - HASH_BYTES) break;
    cut = next;
  }
  return `${above}${cut}%24${createHash('sha1').update(name).digest('base64url')}`;
}

/** The name of a database or collection as a part of a file's: it may hold what would make it several, or none. */
export function partOf(name: string): string {
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E');
  return name.replace(/[%/\\\p{Cc}]/gu, (character) => encodeURIComponent(character));
}
