import { existsSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '@portolan/foundation/file-lock';

const PREFIX = 'portolan-companion-';
/**
 * The file that this process locks while it runs. When the process ends for any reason, the operating system
 * releases the lock. A folder with an unlocked file can be removed.
 */
const LOCK = 'lock';

/** The folder for everything that is removed when this process ends. */
export interface OwnFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export function makeFolder(): OwnFolder {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  const release = lockFile(join(path, LOCK));
  return {
    path,
    remove() {
      release?.();
      return removeFolder(path);
    },
  };
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the folders of companions that were killed. */
export async function removeLeft(own: OwnFolder): Promise<void> {
  const entries = await readdir(tmpdir(), { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
    .map(({ name }) => join(tmpdir(), name));
  // Skip the folder of this process. `isLeft` opens and closes the lock file, and closing it would release the lock of
  // this process.
  for (const folder of folders) if (folder !== own.path && (await isLeft(folder))) await removeFolder(folder);
}

/**
 * True if the process of a folder has ended. Returns false for folders of other users. Also returns false for a folder
 * without a lock file, because another process may still be creating this folder.
 */
async function isLeft(folder: string): Promise<boolean> {
  try {
    const lock = join(folder, LOCK);
    const { uid } = await lstat(folder);
    if (!existsSync(lock) || uid !== (process.getuid?.() ?? uid)) return false;
    const release = lockFile(lock);
    release?.();
    return release !== undefined;
  } catch {
    // Another process is already removing the folder.
    return false;
  }
}
