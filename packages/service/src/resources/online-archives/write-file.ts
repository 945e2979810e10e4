import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ObjectStore } from '../../objects/object-store.ts';

/** The number of hexadecimal digits of a file name's hash. */
const HASH_LENGTH = 24;

const packed = promisify(gzip);

/**
 * Writes documents to a file. Its name contains the day and a hash of the documents, so that a repeated run replaces
 * the file of an interrupted run.
 */
export async function writeFile(
  bucket: Pick<ObjectStore, 'put'>,
  folder: string,
  lines: readonly string[],
  now: Date,
): Promise<void> {
  const text = lines.join('');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  await bucket.put(`${folder}${dayOf(now)}-${hash}.json.gz`, await packed(text));
}

/** Returns the day with which the names of files begin. */
export const dayOf = (date: Date) => date.toISOString().slice(0, 10);
