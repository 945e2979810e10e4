import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../atomic-file.ts';
import type { ObjectStore } from './object-store.ts';

/** Left by a write that was cut off; the next one of that name takes it, or `tidy` removes it. */
const UNFINISHED = '.new';

/** Objects as files below a folder, each on the disk once `put` has resolved. */
export function folderStore(folder: string): ObjectStore {
  const pathOf = (key: string) => join(folder, ...key.split('/'));
  return {
    async put(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await writeAtomically(path, content);
      } catch (error) {
        // On a full disk its part would keep the room.
        await rm(path + UNFINISHED, { force: true });
        throw error;
      }
    },
    async get(key) {
      return orAbsent(readFile(pathOf(key)));
    },
    async list(prefix) {
      const entries = (await orAbsent(readdir(pathOf(prefix), { withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED));
      const sizes = files.map(async ({ name }) => [name, (await stat(pathOf(prefix + name))).size] as const);
      return new Map(await Promise.all(sizes));
    },
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async tidy(prefix) {
      const names = (await orAbsent(readdir(pathOf(prefix)))) ?? [];
      for (const name of names.filter((one) => one.endsWith(UNFINISHED)))
        await rm(pathOf(prefix + name), { force: true });
    },
  };
}

async function orAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
