import { existsSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '@portolan/foundation/file-lock';

const PREFIX = 'portolan-companion-';
/** Locked while the process of the folder runs; the operating system releases it however the process ends. */
const LOCK = 'lock';

/** The folder for everything that ends with this process. */
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
  // Never tests its own lock: closing the test's file would release it.
  for (const folder of folders) if (folder !== own.path && (await isLeft(folder))) await removeFolder(folder);
}

/** A folder without a lock is just being created; folders of other users are skipped. */
async function isLeft(folder: string): Promise<boolean> {
  try {
    const lock = join(folder, LOCK);
    const { uid } = await lstat(folder);
    if (!existsSync(lock) || uid !== (process.getuid?.() ?? uid)) return false;
    const release = lockFile(lock);
    release?.();
    return release !== undefined;
  } catch {
    // Another process is removing it.
    return false;
  }
}
