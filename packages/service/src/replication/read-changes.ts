import type { MachineClock } from '@portolan/foundation/clock';
import type { ChangeStream, Document, MongoClient, Timestamp } from 'mongodb';
import type { Change } from './changes.ts';
import { isRouter } from './deployments.ts';
import { latestOperationTime } from './endpoints.ts';
import { MAX_BYTES, MAX_CHANGES, openStream, sizeOf } from './follow.ts';
import { positionAfter } from './resume-tokens.ts';
import { StallWatch } from './stall.ts';

/** A part of the changes of a source. */
export interface ChangeBatch {
  readonly changes: readonly Change[];
  /** The operation time up to which all changes have been returned. */
  readonly position: Timestamp;
}

interface ReadOptions {
  /** The operation time of the first change to return. */
  readonly start: Timestamp;
  readonly machine: MachineClock;
  readonly signal: AbortSignal;
}

/**
 * Returns the changes of a source from an operation time up to the newest operation, in order. Documents in them have
 * the types in which they are stored. Throws an error with a code in `HISTORY_LOST` if the source does not return all
 * of these changes.
 */
export async function* readChanges(
  source: MongoClient,
  { start, machine, signal }: ReadOptions,
): AsyncGenerator<ChangeBatch> {
  const sourceSharded = isRouter(await source.db('admin').command({ hello: 1 }));
  const head = await latestOperationTime({ source, sourceSharded });
  const stream = openStream(source, { start });
  const stall = new StallWatch(machine, source);
  let waiting: Change[] = [];
  try {
    for (;;) {
      signal.throwIfAborted();
      const { changes, token } = await nextChanges(stream);
      const position = positionAfter(token, changes.at(-1)?.clusterTime, sourceSharded);
      if (position === undefined) continue;
      // All changes of a transaction have the same time, and more of them may follow. So return all changes of one time
      // together.
      const all = [...waiting, ...changes];
      const isComplete = ({ clusterTime }: Change) => !clusterTime.greaterThan(position);
      waiting = all.filter((change) => !isComplete(change));
      yield { changes: all.filter(isComplete), position };
      if (!position.lessThan(head)) return;
      await stall.check(position, changes.length === 0);
    }
  } finally {
    await stream.close();
  }
}

/** Returns the next changes. `token` is the resume token of the empty batch that followed them, if any. */
async function nextChanges(
  stream: ChangeStream<Document, Document>,
): Promise<{ readonly changes: Change[]; readonly token?: Document }> {
  const changes: Change[] = [];
  let bytes = 0;
  while (changes.length < MAX_CHANGES && bytes < MAX_BYTES) {
    const change = (await stream.tryNext()) as unknown as Change | null;
    if (change === null) return { changes, token: (stream.resumeToken ?? {}) as Document };
    changes.push(change);
    bytes += sizeOf(change);
  }
  return { changes };
}
