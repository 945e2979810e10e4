import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '@portolan/foundation/copy-tree';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { Connection } from '../storage/connection.ts';
import { FILE_NAME } from '../storage/format.ts';
import { kindOfFile } from '../storage/open-database.ts';
import { copyFile, copyOf } from './copy.ts';

/** The folder of a cluster, which others write to, and the one that it is copied into. */
export interface CopiedFolder {
  readonly directory: string;
  readonly to: string;
  /** Of its file, where that is encrypted. */
  readonly key?: Uint8Array | undefined;
}

/**
 * Copies the folders of clusters as they are at one moment: writes wait while all copies begin. A file in clear is read
 * from then on as it was, so that writes go on; pages of an encrypted one are copied as they are, so that those wait.
 */
export async function copyAll(folders: readonly CopiedFolder[]): Promise<void> {
  const held: Connection[] = [];
  const copies: Promise<unknown>[] = [];
  const release = () => {
    for (const connection of held.splice(0)) connection.close();
  };
  try {
    for (const folder of folders) held.push(...hold(folder));
    for (const folder of folders) {
      const copying = copyFolder(folder);
      copying.catch(() => {});
      copies.push(copying);
    }
    await Promise.all(copies.filter((_, index) => isSealed(folders[index])));
    release();
    await Promise.all(copies);
  } finally {
    release();
    await Promise.allSettled(copies);
  }
}

const fileIn = (directory: string) => join(directory, FILE_NAME);
const isSealed = (folder: CopiedFolder | undefined) =>
  folder !== undefined && kindOfFile(fileIn(folder.directory)) === 'sealed';

/** The lock of whoever writes to the file; closing the connection gives it back. */
function hold({ directory, key }: CopiedFolder): Connection[] {
  const file = fileIn(directory);
  if (kindOfFile(file) === 'blank') return [];
  const connection = new Connection(file, { key });
  try {
    connection.exec('BEGIN IMMEDIATE');
  } catch (error) {
    connection.close();
    throw error;
  }
  return [connection];
}

/** What it does before its first `await` happens while all writes wait: both databases are read as of then. */
async function copyFolder({ directory, to, key }: CopiedFolder): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const [data, search] = [fileIn(directory), join(directory, SEARCH_FILE)];
  // What is indexed follows the data: it is never newer than they are.
  const copies = [
    ...(kindOfFile(data) === 'blank' ? [] : [copyFile(data, fileIn(to), key)]),
    ...(kindOfFile(search) === 'blank' ? [] : [copyOf(search, join(to, SEARCH_FILE), key, begin)]),
  ];
  await Promise.all([...copies, copyTree(directory, to, { skip: isDatabase })]);
}

const begin = (connection: Connection) => connection.get('SELECT 1 FROM sqlite_schema');

/** Copies of their own, and what is being made beside them. */
function isDatabase(name: string): boolean {
  return OWN.includes(name) || name === 'temporary';
}

const OWN = [FILE_NAME, SEARCH_FILE].flatMap((file) => ['', '-wal', '-shm'].map((end) => file + end));
