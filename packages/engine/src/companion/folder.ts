import { existsSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '@portolan/foundation/file-lock';

const PREFIX = 'portolan-companion-';
/** Held for as long as the process runs whose folder it is: the system takes it back however that ends. */
const LOCK = 'lock';

/** Holds all that goes with this process. */
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

/** Removes what companions have left behind that were killed, and that nobody else removes. */
export async function removeLeft(own: OwnFolder): Promise<void> {
  const entries = await readdir(tmpdir(), { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
    .map(({ name }) => join(tmpdir(), name));
  // Looking at the lock that this process holds would give it away.
  for (const folder of folders) if (folder !== own.path && (await isLeft(folder))) await removeFolder(folder);
}

/** One without a lock is being made at this moment; those of other people are theirs to remove. */
async function isLeft(folder: string): Promise<boolean> {
  try {
    const lock = join(folder, LOCK);
    const { uid } = await lstat(folder);
    if (!existsSync(lock) || uid !== (process.getuid?.() ?? uid)) return false;
    const release = lockFile(lock);
    release?.();
    return release !== undefined;
  } catch {
    // Somebody else removes it.
    return false;
  }
}
