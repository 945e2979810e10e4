import { parentPort } from 'node:worker_threads';
import { machineClock } from '../../../runtime/clock.ts';
import { repeat, rethrow } from '../../../runtime/repeat.ts';
import type { IndexFollowed } from '../../engine.ts';
import { SAMPLE_MS } from '../observe/observation.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { lowerPriority } from './low-priority.ts';
import { type ThreadFigures, threadMemory } from './thread-figures.ts';

/** The thread that keeps search indexes as their data are, for some clusters: `search-threads.ts` starts it. */

export type SearchInput =
  | { readonly open: string; readonly dir: string; readonly key: Uint8Array | undefined }
  /** Answered by `figures`, which are also told from time to time. */
  | { readonly tell: true }
  /** Answered by `closed`. */
  | { readonly close: string };

/** What building has taken for a cluster, and what it has done. */
export interface BuildingFigures extends ThreadFigures {
  readonly indexes: Readonly<Record<string, IndexFollowed>>;
}

export type SearchOutput =
  | { readonly figures: Readonly<Record<string, BuildingFigures>> }
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
  /** Microseconds. */
  readonly processor: { user: number; kernel: number };
}

const machine = machineClock();
const clusters = new Map<string, Followed>();
let busy = false;

function step(id: string, followed: Followed): boolean {
  if (machine.monotonic() < followed.from) return false;
  const before = process.threadCpuUsage();
  try {
    followed.follower ??= new SearchFollower(followed.dir, followed.key);
    return followed.follower.step() === 'busy';
  } catch (error) {
    close(followed);
    followed.from = machine.monotonic() + AGAIN_MS;
    answer({ failed: id, reason: error instanceof Error ? error.message : String(error) });
    return false;
  } finally {
    const { user, system } = process.threadCpuUsage();
    followed.processor.user += user - before.user;
    followed.processor.kernel += system - before.system;
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

function tell(): void {
  const memory = threadMemory();
  const figures = [...clusters].map(([id, { processor, follower }]) => {
    return [id, { processor: { ...processor }, memory, indexes: follower?.figures() ?? {} }] as const;
  });
  answer({ figures: Object.fromEntries(figures) });
}

repeat({ machine, run: tell, interval: SAMPLE_MS, onError: rethrow });

parentPort?.on('message', (input: SearchInput) => {
  if ('open' in input) {
    const { open, dir, key } = input;
    if (!clusters.has(open))
      clusters.set(open, { dir, key, follower: undefined, from: 0, processor: { user: 0, kernel: 0 } });
    following.wake();
    return;
  }
  if ('tell' in input) {
    tell();
    return;
  }
  const followed = clusters.get(input.close);
  clusters.delete(input.close);
  if (followed !== undefined) close(followed);
  answer({ closed: input.close });
});
