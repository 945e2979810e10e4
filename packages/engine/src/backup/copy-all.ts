import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '@portolan/foundation/copy-tree';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { kindOfFile } from '../storage/file/open-database.ts';
import { copyFile, copyOf } from './copy.ts';

/** The folder of a running cluster, and the folder to copy it into. */
export interface CopiedFolder {
  readonly directory: string;
  readonly to: string;
  /** The key of its file, if encrypted. */
  readonly key?: Uint8Array | undefined;
}

/**
 * Copies the folders of several clusters at one consistent moment: all writes wait until all copies have begun. An
 * unencrypted file is then read from a snapshot while writes continue; an encrypted file is copied page by page, and its
 * writes wait until the copy is done.
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

/** Acquires the write lock of the file; closing the connection releases it. */
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

/** The part before the first `await` runs while all writes wait, which fixes the snapshot of both databases. */
async function copyFolder({ directory, to, key }: CopiedFolder): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const [data, search] = [fileIn(directory), join(directory, SEARCH_FILE)];
  // The search indexes follow the data, so their copy must not be newer.
  const copies = [
    ...(kindOfFile(data) === 'blank' ? [] : [copyFile(data, fileIn(to), key)]),
    ...(kindOfFile(search) === 'blank' ? [] : [copyOf(search, join(to, SEARCH_FILE), key, begin)]),
  ];
  await Promise.all([...copies, copyTree(directory, to, { skip: isDatabase })]);
}

const begin = (connection: Connection) => connection.get('SELECT 1 FROM sqlite_schema');

/** Databases, which are copied separately, and temporary files. */
function isDatabase(name: string): boolean {
  return OWN.includes(name) || name === 'temporary';
}

const OWN = [FILE_NAME, SEARCH_FILE].flatMap((file) => ['', '-wal', '-shm'].map((end) => file + end));
