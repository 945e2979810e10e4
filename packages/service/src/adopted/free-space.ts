import { statfs } from 'node:fs/promises';
import type { MachineClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';

const CHECK_MS = 2_000;
/** A copy leaves this much of a disk free for the service and its clusters, or `MIN_FREE_SHARE` if it is less. */
const MIN_FREE_BYTES = 500 * 1024 ** 2;
const MIN_FREE_SHARE = 0.05;

interface Disk {
  readonly free: number;
  readonly total: number;
}

async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Returns a signal that is aborted if the disk of a folder is nearly full. Servers can send data without end, and a copy of
 * them would fill the disk of the service. Disposing ends the checks.
 */
export function spaceWatch(
  machine: Pick<MachineClock, 'after' | 'monotonic'>,
  folder: string,
  read: (folder: string) => Promise<Disk> = diskOf,
): { readonly signal: AbortSignal } & AsyncDisposable {
  const full = new AbortController();
  const checks = repeat({
    machine,
    interval: CHECK_MS,
    first: 0,
    async run() {
      const { free, total } = await read(folder);
      if (free < Math.min(MIN_FREE_BYTES, total * MIN_FREE_SHARE))
        full.abort(new Error(`the disk of the service has only ${free} bytes left for a copy of the data`));
    },
    // If the free space is unknown, the copy continues, and fails when a write fails.
    onError: () => {},
  });
  return { signal: full.signal, [Symbol.asyncDispose]: () => checks.stop() };
}
