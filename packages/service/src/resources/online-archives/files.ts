import type { ObjectStore } from '../../objects/object-store.ts';
import { folderOf } from '../backup/index.ts';
import type { ArchiveRow } from './rows.ts';
import { dayOf } from './write-file.ts';

const DAY_MS = 86_400_000;

interface ArchiveOrigin {
  readonly orgId: string;
  readonly clusterName: string;
}

/** Returns the folder of an archive in the bucket. It ends with a slash. */
export function folderOfArchive(row: ArchiveRow, { orgId, clusterName }: ArchiveOrigin): string {
  const prefix = ['archived_documents', orgId, row.groupId, clusterName].join('/');
  return `${folderOf(prefix, { database: row.database, name: row.collection })}/${row.id}/`;
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
