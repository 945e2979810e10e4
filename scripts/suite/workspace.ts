import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** The free space that the folder in memory must have. A run of all tests uses up to 700 MB at a time. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * The folder for temporary files. On Linux, this is a file system in memory, since services sync their files after each
 * write. It is used only if it has enough space and if programs can be started from it. `TMPDIR` overrides the folder.
 */
function base(): string {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir();
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).find(([, path]) => path === IN_MEMORY)?.[3];
  if (options === undefined || options.split(',').includes('noexec')) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES ? tmpdir() : IN_MEMORY;
}

/** A single folder for all temporary files of a run. */
export interface Workspace extends Disposable {
  readonly path: string;
}

export function workspace(): Workspace {
  const path = mkdtempSync(join(realpathSync(base()), 'portolan-test-'));
  // If root runs the tests, the database server runs as another user, whose files are in this folder too.
  chmodSync(path, 0o755);
  const before = Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, process.env[name]]));
  for (const name of Object.keys(before)) process.env[name] = path;
  return {
    path,
    [Symbol.dispose]() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
