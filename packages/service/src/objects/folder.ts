import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { errorCode, isAbsent } from '@portolan/foundation/thrown';
import { BucketError, type ObjectStore } from './object-store.ts';

/**
 * Suffix of files that are being written. If a crash leaves such a file, the next write of the key replaces it, or
 * `tidy` removes it.
 */
const UNFINISHED = '.new';

/** Stores objects as files in a folder. An object is durable once `put` has resolved. Rejects with a `BucketError`. */
export function folderStore(folder: string): ObjectStore {
  const pathOf = (key: string) => join(folder, ...key.split('/'));
  return {
    async put(key, content) {
      const path = pathOf(key);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeAtomically(path, content);
      } catch (error) {
        // Remove the unfinished file, since its space may be needed on a full disk.
        await rm(path + UNFINISHED, { force: true }).catch(() => {});
        throw bucketErrorOf(`${key} cannot be written`, error);
      }
    },
    get(key) {
      return orAbsent(`${key} cannot be read`, () => readFile(pathOf(key)));
    },
    async list(prefix) {
      const what = `${prefix} cannot be listed`;
      const entries = (await orAbsent(what, () => readdir(pathOf(prefix), { withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED));
      const sizes = files.map(async ({ name }) => {
        const found = await orAbsent(what, () => stat(pathOf(prefix + name)));
        // A file may disappear while the folder is listed.
        return found === undefined ? [] : [[name, found.size] as const];
      });
      return new Map((await Promise.all(sizes)).flat());
    },
    async delete(keys) {
      for (const key of keys) await remove(key, pathOf(key));
    },
    async tidy(prefix) {
      const names = (await orAbsent(`${prefix} cannot be listed`, () => readdir(pathOf(prefix)))) ?? [];
      for (const name of names.filter((one) => one.endsWith(UNFINISHED)))
        await remove(prefix + name, pathOf(prefix + name));
    },
  };
}

function remove(key: string, path: string): Promise<void> {
  return rm(path, { force: true }).catch((error) => {
    throw bucketErrorOf(`${key} cannot be removed`, error);
  });
}

async function orAbsent<T>(what: string, reading: () => Promise<T>): Promise<T | undefined> {
  try {
    return await reading();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw bucketErrorOf(what, error);
  }
}

/** Errors of local disks and network file systems, by error code. */
const troubles: Readonly<Record<string, BucketError['trouble']>> = {
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EAGAIN: 'unavailable',
  EBUSY: 'unavailable',
  EHOSTDOWN: 'unavailable',
  EHOSTUNREACH: 'unavailable',
  EIO: 'unavailable',
  EMFILE: 'unavailable',
  ENFILE: 'unavailable',
  ENODEV: 'unavailable',
  ENOTCONN: 'unavailable',
  ENXIO: 'unavailable',
  ESTALE: 'unavailable',
  ETIMEDOUT: 'unavailable',
};

/** Converts a system error to an error whose message does not contain the path. */
function bucketErrorOf(what: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const { errno = 0 } = error as NodeJS.ErrnoException;
  const message = `object ${what}: ${getSystemErrorMap().get(errno)?.[1] ?? 'unknown error'} (${code})`;
  const trouble = troubles[code];
  const options = { cause: error };
  return trouble === undefined ? new Error(message, options) : new BucketError(trouble, message, options);
}
