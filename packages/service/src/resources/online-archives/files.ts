import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ObjectStore } from '../../objects/object-store.ts';
import { folderOf } from '../backup/index.ts';
import type { ArchiveRow } from './rows.ts';

const DAY_MS = 86_400_000;
/** The number of hexadecimal digits of a file name's hash. */
const HASH_LENGTH = 24;

const packed = promisify(gzip);

interface ArchiveOrigin {
  readonly orgId: string;
  readonly clusterName: string;
}

/** Returns the folder of an archive in the bucket. It ends with a slash. */
export function folderOfArchive(row: ArchiveRow, { orgId, clusterName }: ArchiveOrigin): string {
  const prefix = ['archived_documents', orgId, row.groupId, clusterName].join('/');
  return `${folderOf(prefix, { database: row.database, name: row.collection })}/${row.id}/`;
}

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

/** Deletes the files that were written more than `days` days ago. */
export async function deleteExpired(
  bucket: Pick<ObjectStore, 'list' | 'delete'>,
  folder: string,
  days: number,
  now: Date,
): Promise<void> {
  const oldest = dayOf(new Date(now.getTime() - days * DAY_MS));
  const names = [...(await bucket.list(folder)).keys()].filter(
    (name) => name.slice(0, oldest.length) < oldest,
  );
  if (names.length > 0) await bucket.delete(names.map((name) => folder + name));
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);
