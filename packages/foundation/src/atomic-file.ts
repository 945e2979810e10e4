import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For its owner alone. */
const OWNER_ONLY = 0o600;

/**
 * Replaces a file so that readers see the old one or the new one, whole, and a crash leaves one of the two. When it
 * resolves the new one is on disk. A path has one writer at a time.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = OWNER_ONLY,
): Promise<void> {
  // Always the same name: what a crash leaves behind the next write takes.
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

/** Makes names in a directory durable. Windows has no such call and needs none. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
