import { type BackOff, pauseAfter } from '@portolan/foundation/back-off';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { wait } from '@portolan/foundation/wait';
import { type ChangeStreamOptions, type Document, type MongoClient, Timestamp } from 'mongodb';
import { Checkpoint, type ReplicationState } from './checkpoint.ts';
import { copyCollection } from './copy.ts';
import { type Endpoints, endpointsOf, latestOperationTime, namespaceOf, serverCodeOf } from './endpoints.ts';
import { OVERDUE, PASSING, REFUSED, UNREACHED } from './error-codes.ts';
import { Follower } from './follow.ts';
import { endsCopy } from './lasting.ts';
import { CHECKPOINTS } from './names.ts';
import { timeIn } from './resume-tokens.ts';
import {
  beginExpiry,
  completeIndexes,
  createCollection,
  listCopies,
  requireIndexes,
  shardCollections,
} from './structure.ts';

/**
 * How many times in a row the copy may be interrupted. Including the pauses, this takes half a minute. An election
 * takes only seconds.
 */
const MAX_FAILURES = 10;
const BACK_OFF: BackOff = { first: 200, greatest: 5_000 };
/** Id of the checkpoint. It is constant, since a destination has only one copy. */
const ID = 'fill';
export const ATTEMPT = 1;
/** The first state of a copy whose source does not change. */
const STILL: ReplicationState = {
  phase: 'copying',
  start: new Timestamp({ t: 0, i: 0 }),
  indexed: false,
};

export interface CopyParts {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  /** Aborts the copy. */
  readonly signal: AbortSignal;
}

/**
 * Copies the databases of a deployment to an empty one. Afterwards, the destination equals the source at the returned
 * operation time. Returns undefined for a source without change streams. The destination may then lack some of the
 * writes that the source received during the copy.
 */
export async function fill(
  source: MongoClient,
  target: MongoClient,
  parts: CopyParts,
): Promise<Timestamp | undefined> {
  const endpoints = await endpointsOf(source, target);
  const checkpoint = new Checkpoint(target, ID, parts.random.uuid());
  const work = { endpoints, checkpoint, parts };
  const time = (await hasChangeStreams(source)) ? await copyConsistently(work) : await copyOnly(work);
  await target.db(CHECKPOINTS).dropDatabase();
  return time;
}

/**
 * Whether the source has a change stream of the whole deployment that a follower can use. The resume tokens of the
 * stream must contain times. Throws if the user is not allowed to open the stream.
 */
export async function hasChangeStreams(
  source: MongoClient,
  options: Pick<ChangeStreamOptions, 'readPreference'> = {},
): Promise<boolean> {
  const stream = source.watch([], { ...options, showExpandedEvents: true, maxAwaitTimeMS: 1 });
  try {
    const change = await stream.tryNext();
    return timeIn((change?._id ?? stream.resumeToken ?? {}) as Document) !== undefined;
  } catch (error) {
    const code = serverCodeOf(error);
    const saysNothing = [PASSING, OVERDUE, UNREACHED, REFUSED].some((codes) => codes.has(code));
    if (code === undefined || saysNothing) throw error;
    return false;
  } finally {
    await stream.close();
  }
}

interface Work {
  readonly endpoints: Endpoints;
  readonly checkpoint: Checkpoint;
  readonly parts: CopyParts;
}

/** Copies and then follows changes. Continues after an interruption, such as an election. */
async function copyConsistently(work: Work): Promise<Timestamp> {
  const { machine, random, log, signal } = work.parts;
  let failures = 0;
  const onProgress = () => {
    failures = 0;
  };
  let furthest: Timestamp | undefined;
  const onPosition = (position: Timestamp) => {
    // An empty batch counts as progress only if its position is later than all earlier positions.
    if (furthest === undefined || position.greaterThan(furthest)) onProgress();
    furthest = position;
  };
  for (;;) {
    try {
      return await copyAndFollow(work, onProgress, onPosition);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failures++;
      if (failures >= MAX_FAILURES || endsCopy(error)) throw error;
      log.warn({ reason: (error as Error).message }, 'the copy of a deployment was interrupted');
      await wait(machine, pauseAfter(failures, { ...BACK_OFF, random }));
    }
  }
}

async function copyAndFollow(
  work: Work,
  onProgress: () => void,
  onPosition: (position: Timestamp) => void,
): Promise<Timestamp> {
  const { endpoints, checkpoint, parts } = work;
  let reached = (await checkpoint.claim(ATTEMPT)) ?? (await begin(work));
  if (reached.phase === 'copying') {
    await copyAll(work, onProgress);
    const next = { phase: 'following', consistentAt: await latestOperationTime(endpoints) } as const;
    await checkpoint.reach(next);
    reached = { ...reached, ...next };
  }
  let time = reached.start;
  const follower = new Follower({
    ...{ endpoints, checkpoint, reached, copies: await checkpoint.copies() },
    ...{ machine: parts.machine, signal: parts.signal },
    onPosition({ position }) {
      time = position;
      onPosition(position);
    },
  });
  await follower.follow(() => true);
  await beginExpiry(endpoints);
  return time;
}

async function copyOnly(work: Work): Promise<undefined> {
  await work.checkpoint.take(ATTEMPT);
  await copyStill(work);
  await beginExpiry(work.endpoints);
}

/**
 * Copies a source that does not change during the copy. Must be called after `take` of the checkpoint.
 * Afterwards, the indexes of the destination do not delete expired documents yet.
 */
export async function copyStill(work: Work): Promise<void> {
  const { endpoints, checkpoint } = work;
  await checkpoint.list(STILL, await listCopies(endpoints));
  await copyAll(work, () => {});
  await checkpoint.assertOwned();
  await completeIndexes(endpoints);
  await requireIndexes(endpoints);
}

async function begin({ endpoints, checkpoint }: Work): Promise<ReplicationState> {
  await checkpoint.take(ATTEMPT);
  const start = await latestOperationTime(endpoints);
  const reached = { phase: 'copying', start, indexed: false } as const;
  await checkpoint.list(reached, await listCopies(endpoints));
  return reached;
}

/** Copies the collections that are not copied yet. */
async function copyAll({ endpoints, checkpoint, parts }: Work, onProgress: () => void): Promise<void> {
  const { signal } = parts;
  const copies = await checkpoint.copies();
  await checkpoint.assertOwned();
  for (const { _id, isView, options } of copies)
    if (!isView && endpoints.targetSharded) await createCollection(endpoints, namespaceOf(_id), options);
  await shardCollections(endpoints, undefined);
  for (const copy of copies.filter(({ copied }) => !copied)) {
    if (signal.aborted) throw signal.reason;
    await copyCollection(endpoints, checkpoint, copy, { signal, written: onProgress });
    onProgress();
  }
}
