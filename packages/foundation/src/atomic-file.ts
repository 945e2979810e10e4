import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The default mode, with which only the owner can read and write the file. */
const OWNER_ONLY = 0o600;

/**
 * Replaces a file atomically: readers see either the old or the new content, even after a crash. The new file is
 * durable when this resolves. A path must have only one writer at a time.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = OWNER_ONLY,
): Promise<void> {
  // The name is fixed, so that the next write replaces a file that a crash has left.
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}

/** Makes directory entries durable. Windows cannot sync directories and does not need to. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
