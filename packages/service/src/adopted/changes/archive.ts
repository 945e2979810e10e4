import {
  encodeOplogFrame,
  type OplogMark,
  type OplogPosition,
  type SentSegment,
} from '@portolan/engine/management';
import type { MachineClock } from '@portolan/foundation/clock';
import { type MongoClient, Timestamp } from 'mongodb';
import {
  type Change,
  type ChangeBatch,
  HISTORY_LOST,
  isCopied,
  isRouter,
  latestOperationTime,
  readChanges,
  serverCodeOf,
} from '../../replication/index.ts';
import { bytesOf, compare, markAt, markOf, packed, positionOf } from './segments.ts';

/** This file reads the changes of an adopted deployment in the form in which engines return their oplog. */

export interface ArchiveParts {
  readonly machine: MachineClock;
  readonly signal: AbortSignal;
  /**
   * After this time without a change, an empty segment records how far the deployment was read. Without this segment,
   * the archive would end at the last change. When the oplog of the deployment drops that change, the archive would
   * seem incomplete. The default is one hour.
   */
  readonly quietSeconds?: number | undefined;
}

/** A segment ends with the change that makes it reach this size before compression. */
const SEGMENT_BYTES = 1024 * 1024;
const QUIET_S = 3_600;

/** Thrown if a deployment has another history than the archive. */
class HistoryLost extends Error {
  override readonly name = 'HistoryLost';
}

/**
 * Yields the changes after a mark as frames of an oplog. If the deployment does not return the next changes, yields its
 * newest position instead. If it does not return a later change, yields the changes before it.
 */
export async function* archiveFrames(
  source: MongoClient,
  after: OplogMark | OplogPosition | undefined,
  parts: ArchiveParts,
): AsyncGenerator<Uint8Array> {
  const hello = await source.db('admin').command({ hello: 1 });
  const time = (hello.localTime as Date).getTime();
  const head = positionOf(await latestOperationTime({ source, sourceSharded: isRouter(hello) }));
  const begun = after && { digest: '', ...after };
  const reader = begun && compare(begun, head) <= 0 ? new ArchiveReader(source, begun, parts) : undefined;
  const first = await reader?.begin();
  if (begun === undefined || reader === undefined || first === undefined) {
    yield encodeOplogFrame({ kind: 'head', head: { format: 1, after: markAt(head), whole: false } });
    yield encodeOplogFrame({ kind: 'end', to: markAt(head), time });
    return;
  }
  yield encodeOplogFrame({ kind: 'head', head: { format: 1, after: begun, whole: true } });
  let to = begun;
  for (let next = first; !next.done; next = await reader.segments.next()) {
    yield encodeOplogFrame({ kind: 'segment', ...next.value });
    to = next.value.segment.to;
  }
  yield encodeOplogFrame({ kind: 'end', to, time });
}

/** Reads the changes after a mark. */
class ArchiveReader {
  readonly segments: AsyncGenerator<SentSegment, void>;
  readonly #batches: AsyncGenerator<ChangeBatch>;
  readonly #begun: OplogMark;
  #last: OplogMark;
  #changes: Uint8Array[] = [];
  #bytes = 0;
  /** The mark of the last change in `#changes`. */
  #to: OplogMark | undefined;
  readonly #quiet: number;
  /**
   * Whether it is certain that the deployment still has the change at the mark after which reading begins.
   */
  #isProven: boolean;

  constructor(source: MongoClient, begun: OplogMark, { quietSeconds = QUIET_S, ...parts }: ArchiveParts) {
    this.#quiet = quietSeconds;
    const { seconds, increment, digest } = begun;
    // A mark without a digest belongs to no change, so there is no change to look for.
    this.#isProven = digest === '';
    const time = new Timestamp({ t: seconds, i: increment });
    const start = this.#isProven ? new Timestamp(time.toBigInt() + 1n) : time;
    this.#batches = readChanges(source, { start, ...parts });
    this.#begun = begun;
    this.#last = begun;
    this.segments = this.#read();
  }

  /** Returns the first result of `segments`; undefined if the deployment does not return the changes after the mark. */
  async begin(): Promise<IteratorResult<SentSegment, void> | undefined> {
    try {
      return await this.segments.next();
    } catch (error) {
      if (isLost(error)) return undefined;
      throw error;
    }
  }

  async *#read(): AsyncGenerator<SentSegment, void> {
    let reached: OplogPosition = this.#begun;
    for await (const { changes, position } of this.#returned()) {
      for (const change of changes) {
        const isNew = compare(positionOf(change.clusterTime), this.#begun) > 0;
        if (!isNew) this.#isProven ||= markOf(change).digest === this.#begun.digest;
        else if (isCopied(change.ns.db)) yield* this.#add(change);
      }
      reached = positionOf(position);
    }
    this.#requireProven();
    yield* this.#flush();
    if (this.#last === this.#begun && reached.seconds - this.#begun.seconds >= this.#quiet)
      yield packed([], this.#begun, markAt(reached));
  }

  /** Yields the changes that the deployment returns. Throws if it does not return the first one. */
  async *#returned(): AsyncGenerator<ChangeBatch> {
    try {
      yield* this.#batches;
    } catch (error) {
      // The next run begins with the change that the deployment does not return.
      if (!isLost(error) || (this.#to ?? this.#last) === this.#begun) throw error;
    }
  }

  *#add(change: Change): Generator<SentSegment> {
    this.#requireProven();
    const mark = markOf(change);
    // The changes of a transaction have the same time, and must be in one segment.
    if (this.#bytes >= SEGMENT_BYTES && this.#to && compare(mark, this.#to) > 0) yield* this.#flush();
    const bytes = bytesOf(change);
    this.#changes.push(bytes);
    this.#bytes += bytes.length;
    this.#to = mark;
  }

  *#flush(): Generator<SentSegment> {
    if (this.#to === undefined) return;
    yield packed(this.#changes, this.#last, this.#to);
    this.#last = this.#to;
    this.#changes = [];
    this.#bytes = 0;
    this.#to = undefined;
  }

  #requireProven(): void {
    if (!this.#isProven) throw new HistoryLost('the deployment does not have the last archived change');
  }
}

const isLost = (error: unknown) => error instanceof HistoryLost || HISTORY_LOST.has(serverCodeOf(error));
