import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from './thrown.ts';

interface CopyOptions {
  /** Returns whether to skip files and folders with this name, at every depth. */
  readonly skip?: (name: string) => boolean;
  /** True to hard-link files rather than copy them. Only for files that are replaced or removed but never modified. */
  readonly link?: boolean;
}

/**
 * Copies a folder recursively. A missing folder counts as empty, and files that disappear meanwhile are skipped. Copies
 * share blocks (copy on write) if the file system supports it.
 */
export async function copyTree(from: string, to: string, options: CopyOptions = {}): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const entries = (await unlessGone(readdir(from, { withFileTypes: true }))) ?? [];
  const copies = entries
    .filter(({ name }) => options.skip?.(name) !== true)
    .map(async (entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await copyTree(source, copy, options);
      else if (entry.isFile())
        await unlessGone(options.link ? linkOrCopy(source, copy) : clone(source, copy));
    });
  // Waits for all copies even if one fails, so that the caller can then remove the folder.
  for (const copy of await Promise.allSettled(copies)) {
    if (copy.status === 'rejected') throw copy.reason;
  }
}

const clone = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE);

/**
 * Links a file, or copies it if that fails: some file systems do not support hard links, and links cannot cross file
 * systems.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isAbsent(error)) throw error;
    await clone(from, to);
  }
}

async function unlessGone<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Makes a folder, its contents and its directory entries durable. Windows cannot sync directory entries. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? syncTree(path) : sync(path);
    }),
  );
  if (process.platform !== 'win32') await sync(folder);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
