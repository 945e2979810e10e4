import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner can read and write the file. */
const OWNER_ONLY = 0o600;

/**
 * Replaces a file atomically: readers and a crash see either the old or the new content. The new file is
 * durable when this resolves. A path must have one writer at a time.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = OWNER_ONLY,
): Promise<void> {
  // A fixed name, so that the next write replaces what a crash left behind.
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

/** Makes directory entries durable. Windows has no such call and does not need one. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
