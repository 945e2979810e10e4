import { statfsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import type { IndexFollowed } from '../interface/engine.ts';
import { SAMPLE_MS } from '../observe/observation.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { type Room, RoomOnDisk } from '../search/follow/room.ts';
import { lowerPriority } from './low-priority.ts';
import { type ThreadFigures, threadMemory } from './thread-figures.ts';

/** The thread that keeps search indexes as their data are, for some clusters: `search-threads.ts` starts it. */

export type SearchInput =
  | {
      readonly open: string;
      readonly dir: string;
      readonly key: Uint8Array | undefined;
      /** Whose the disk is that it writes to. */
      readonly disk: 'own' | 'shared';
    }
  /** Answered by `figures`, which are also told from time to time. */
  | { readonly tell: true }
  /** Answered by `closed`. */
  | { readonly close: string };

/** What building has taken for a cluster, and what it has done. */
export interface BuildingFigures extends ThreadFigures {
  readonly indexes: Readonly<Record<string, IndexFollowed>>;
  readonly room: Room;
}

export type SearchOutput =
  | { readonly figures: Readonly<Record<string, BuildingFigures>> }
  | { readonly closed: string }
  /** A cluster is followed from here on, or, as `stopped` says why, it is not for a while. */
  | { readonly state: string; readonly stopped: string | undefined };

/** How soon a change is looked for. */
const LOOK_MS = 100;
/** After something went wrong with a cluster. */
const AGAIN_MS = 1_000;

interface Followed {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
  readonly room: RoomOnDisk;
  follower: SearchFollower | undefined;
  /** As it was told last. */
  told: { readonly stopped: string | undefined } | undefined;
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
    followed.follower ??= new SearchFollower(followed.dir, followed.key, followed.room, machine);
    const progress = followed.follower.step();
    tellState(id, followed, followed.follower.stopped);
    return progress === 'busy';
  } catch (error) {
    close(followed);
    followed.from = machine.monotonic() + AGAIN_MS;
    tellState(id, followed, error instanceof Error ? error.message : String(error));
    return false;
  } finally {
    const { user, system } = process.threadCpuUsage();
    followed.processor.user += user - before.user;
    followed.processor.kernel += system - before.system;
  }
}

function tellState(id: string, followed: Followed, stopped: string | undefined): void {
  if (followed.told !== undefined && followed.told.stopped === stopped) return;
  followed.told = { stopped };
  answer({ state: id, stopped });
}

/** Free bytes, of all, of the file system with a folder. */
function diskOf(dir: string) {
  const { bavail, blocks, bsize } = statfsSync(dir);
  return { free: bavail * bsize, total: blocks * bsize };
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
  const figures = [...clusters].map(([id, { processor, follower, room }]) => {
    const indexes = follower?.figures() ?? {};
    return [id, { processor: { ...processor }, memory, indexes, room: room.now }] as const;
  });
  answer({ figures: Object.fromEntries(figures) });
}

repeat({ machine, run: tell, interval: SAMPLE_MS, onError: rethrow });

parentPort?.on('message', (input: SearchInput) => {
  if ('open' in input) {
    const { open, dir, key, disk } = input;
    if (!clusters.has(open)) {
      const begun = { follower: undefined, told: undefined, from: 0, processor: { user: 0, kernel: 0 } };
      clusters.set(open, { dir, key, room: new RoomOnDisk(disk, () => diskOf(dir)), ...begun });
    }
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
