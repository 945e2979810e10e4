import { parentPort } from 'node:worker_threads';
import { machineClock } from '../../../runtime/clock.ts';
import { repeat, rethrow } from '../../../runtime/repeat.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { lowerPriority } from './low-priority.ts';

/** The thread that keeps search indexes as their data are, for some clusters: `search-threads.ts` starts it. */

export type SearchInput =
  | { readonly open: string; readonly dir: string; readonly key: Uint8Array | undefined }
  /** Answered by `closed`. */
  | { readonly close: string };

export type SearchOutput =
  | { readonly closed: string }
  /** What went wrong with a cluster; it is followed again in a while. */
  | { readonly failed: string; readonly reason: string };

/** How soon a change is looked for. */
const LOOK_MS = 100;
/** After something went wrong with a cluster. */
const AGAIN_MS = 5_000;

interface Followed {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
  follower: SearchFollower | undefined;
  /** Not before this monotonic time. */
  from: number;
}

const machine = machineClock();
const clusters = new Map<string, Followed>();
let busy = false;

function step(id: string, followed: Followed): boolean {
  if (machine.monotonic() < followed.from) return false;
  try {
    followed.follower ??= new SearchFollower(followed.dir, followed.key);
    return followed.follower.step() === 'busy';
  } catch (error) {
    close(followed);
    followed.from = machine.monotonic() + AGAIN_MS;
    answer({ failed: id, reason: error instanceof Error ? error.message : String(error) });
    return false;
  }
}

function close(followed: Followed): void {
  followed.follower?.close();
  followed.follower = undefined;
}

function answer(output: SearchOutput): void {
  parentPort?.postMessage(output);
}

lowerPriority();
const following = repeat({
  machine,
  run: () => {
    busy = false;
    for (const [id, followed] of clusters) if (step(id, followed)) busy = true;
  },
  interval: () => (busy ? 0 : clusters.size > 0 ? LOOK_MS : Number.POSITIVE_INFINITY),
  onError: rethrow,
});

parentPort?.on('message', (input: SearchInput) => {
  if ('open' in input) {
    const { open, dir, key } = input;
    if (!clusters.has(open)) clusters.set(open, { dir, key, follower: undefined, from: 0 });
    following.wake();
    return;
  }
  const followed = clusters.get(input.close);
  clusters.delete(input.close);
  if (followed !== undefined) close(followed);
  answer({ closed: input.close });
});
