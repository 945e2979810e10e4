import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

interface CopyOptions {
  /** Names that are left out, at every depth. */
  readonly skip?: (name: string) => boolean;
  /** Files that are never written to, only replaced or removed: both names may stand for one. */
  readonly link?: boolean;
}

/**
 * Copies a folder with all that is in it; one that is not there is an empty one. Others may write meanwhile: what goes
 * away is left out. Where the disk can, copies share their blocks until one of them is written to.
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
  // Whoever removes what was copied, as the disk is full, is to be the last who is at it.
  for (const copy of await Promise.allSettled(copies)) {
    if (copy.status === 'rejected') throw copy.reason;
  }
}

const clone = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE);

/** Some file systems have no second names, and none has them over its border. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error;
    await clone(from, to);
  }
}

async function unlessGone<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return Object(error).code;
}

/** Has everything in a folder on the disk when it resolves, names as well; Windows has no call for those. */
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
