import { statfsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { collectionOfThread } from '@portolan/foundation/idle-collection';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { errorMessage } from '@portolan/foundation/thrown';
import { returnMemory } from '@portolan/foundation/trim-memory';
import type { IndexChanges } from '../interface/engine.ts';
import { SAMPLE_MS } from '../observe/observation.ts';
import { SearchFollower } from '../search/follow/follower.ts';
import { DiskSpace, type DiskState } from '../search/follow/room.ts';
import { lowerPriority } from './low-priority.ts';
import { type ThreadFigures, threadMemory } from './thread-figures.ts';

/** This file is the thread that updates the search indexes of some clusters. `search-threads.ts` starts it. */

export type SearchInput =
  | {
      readonly open: string;
      readonly dir: string;
      readonly key: Uint8Array | undefined;
      /** Maximum size of the search file in bytes. */
      readonly most: number;
      /** `own` if the thread belongs to one cluster. The indexes of this cluster are then on a separate disk. */
      readonly disk: 'own' | 'shared';
    }
  | { readonly limit: string; readonly most: number }
  /** Requests the message `figures`, which the thread also sends periodically. */
  | { readonly report: true }
  /** Closes a cluster. The thread replies with `closed`. */
  | { readonly close: string };

/** Statistics of the index updates of a cluster. */
export interface BuildingFigures extends ThreadFigures {
  readonly indexes: Readonly<Record<string, IndexChanges>>;
  readonly room: DiskState;
}

export type SearchOutput =
  | { readonly figures: Readonly<Record<string, BuildingFigures>> }
  | { readonly closed: string }
  /**
   * The updates of a cluster have started (`stopped` is undefined), or have stopped for the reason `stopped` and will
   * start again later.
   */
  | { readonly state: string; readonly stopped: string | undefined };

/**
 * The priority of the thread. On a busy machine, it gets a third of the time of a thread that serves drivers. With the
 * lowest priority it would get a seventieth, so that a new index of a few documents would take half a minute.
 */
const PRIORITY = 5;
/** Interval at which the thread looks for changes. */
const POLL_MS = 100;
/** The pause after an error that concerns one cluster. */
const RETRY_MS = 1_000;

interface Followed {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
  readonly room: DiskSpace;
  most: number;
  follower: SearchFollower | undefined;
  /** The state that was reported last. */
  reported: { readonly stopped: string | undefined } | undefined;
  /** Monotonic machine time of the next attempt. */
  from: number;
  /** CPU time in microseconds. */
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
    followed.follower.most = followed.most;
    const progress = followed.follower.step();
    reportState(id, followed, followed.follower.stopped);
    return progress === 'busy';
  } catch (error) {
    close(followed);
    followed.from = machine.monotonic() + RETRY_MS;
    reportState(id, followed, errorMessage(error));
    return false;
  } finally {
    const { user, system } = process.threadCpuUsage();
    followed.processor.user += user - before.user;
    followed.processor.kernel += system - before.system;
  }
}

function reportState(id: string, followed: Followed, stopped: string | undefined): void {
  if (followed.reported !== undefined && followed.reported.stopped === stopped) return;
  followed.reported = { stopped };
  reply({ state: id, stopped });
}

/** Returns the free and total bytes of the file system that contains a folder. */
function diskOf(dir: string) {
  const { bavail, blocks, bsize } = statfsSync(dir);
  return { free: bavail * bsize, total: blocks * bsize };
}

function close(followed: Followed): void {
  followed.follower?.close();
  followed.follower = undefined;
}

function reply(output: SearchOutput): void {
  parentPort?.postMessage(output);
}

lowerPriority(PRIORITY);
const collection = collectionOfThread(machine, returnMemory);
const following = repeat({
  machine,
  run: () => {
    busy = false;
    for (const [id, followed] of clusters) if (step(id, followed)) busy = true;
    if (busy) collection.touch();
  },
  interval: () => (busy ? 0 : clusters.size > 0 ? POLL_MS : Number.POSITIVE_INFINITY),
  onError: rethrow,
});

function report(): void {
  const memory = threadMemory();
  const figures = [...clusters].map(([id, { processor, follower, room }]) => {
    const indexes = follower?.figures() ?? {};
    return [id, { processor: { ...processor }, memory, indexes, room: room.now }] as const;
  });
  reply({ figures: Object.fromEntries(figures) });
}

repeat({ machine, run: report, interval: SAMPLE_MS, onError: rethrow });

parentPort?.on('message', (input: SearchInput) => {
  if ('open' in input) {
    const { open, dir, key, disk, most } = input;
    if (!clusters.has(open)) {
      const begun = { follower: undefined, reported: undefined, from: 0, processor: { user: 0, kernel: 0 } };
      clusters.set(open, { dir, key, most, room: new DiskSpace(disk, () => diskOf(dir)), ...begun });
    }
    following.wake();
    return;
  }
  if ('limit' in input) {
    const followed = clusters.get(input.limit);
    if (followed !== undefined) followed.most = input.most;
    return;
  }
  if ('report' in input) {
    report();
    return;
  }
  const followed = clusters.get(input.close);
  clusters.delete(input.close);
  if (followed !== undefined) close(followed);
  reply({ closed: input.close });
});
