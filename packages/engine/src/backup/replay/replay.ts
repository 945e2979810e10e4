import { dirname } from 'node:path';
import { systemRandom } from '@portolan/foundation/random';
import { errorMessage } from '@portolan/foundation/thrown';
import type { OplogMark, OplogPosition, SentSegment } from '../../interface/oplog.ts';
import type { Replay } from '../../interface/snapshot.ts';
import { ClusterStore } from '../../storage/cluster-store.ts';
import { isRun, StoredRun } from '../../storage/oplog/insert-run.ts';
import { partsOfPosition, positionOfParts } from '../../storage/oplog/position.ts';
import { markOf } from '../archive.ts';
import { type OplogRow, rowsOf } from '../segments.ts';
import { HistoryDiffers } from './collections.ts';
import { applyEntry, continuesInNext } from './entries.ts';

interface Keys {
  /** The key of the restored file. */
  readonly into?: Uint8Array | undefined;
  /** The keys of the oplog segments. */
  readonly oplog?: readonly Uint8Array[];
}

/** Number of rows that are committed together, unless a transaction continues after them. */
const ROWS_AT_ONCE = 1_000;

/**
 * Replays the oplog entries that follow a snapshot, up to a point in time. Changes the file of the snapshot
 * and appends the entries unchanged to the oplog in this file. The file must not be open elsewhere.
 */
export class Replaying {
  readonly #store: ClusterStore;
  readonly #keys: readonly Uint8Array[];
  readonly #until: number;
  /**
   * The newest oplog row of the snapshot. The segments must contain this row. It proves that they continue the history
   * of the snapshot.
   */
  readonly #base: OplogMark;
  #proven: boolean;
  #finished = false;
  #last: OplogMark;
  /** Rows to replay. They may be the start of a transaction that continues in the next segment. */
  #waiting: OplogRow[] = [];

  constructor(file: string, { after, until }: Replay, base: OplogMark, keys: Keys) {
    this.#keys = keys.oplog ?? [];
    this.#until = positionOfParts(until);
    this.#base = base;
    this.#proven = isSame(after, base);
    this.#last = after;
    const source = { now: () => 0, term: () => 0 };
    this.#store = ClusterStore.open(dirname(file), systemRandom(), source, { key: keys.into });
    Object.assign(this.#store.oplog, this.#store.oplog.ownLimits);
  }

  /** Replays the next segment. */
  add(sent: SentSegment): void {
    if (!isSame(sent.segment.after, this.#last))
      throw new HistoryDiffers('a segment of the oplog does not continue the previous one');
    for (const row of rowsOf(sent, this.#keys)) {
      this.#last = markOf(row);
      this.#accept(row);
    }
    this.#applyWaiting();
  }

  #accept(row: OplogRow): void {
    const base = positionOfParts(this.#base);
    if (row.rid <= base) {
      this.#proven ||= isSame(this.#last, this.#base);
      return;
    }
    if (!this.#proven) throw new HistoryDiffers('the oplog does not continue the snapshot');
    if (this.#finished) return;
    for (const part of isRun(row.doc) && row.rid > this.#until ? entriesOf(row) : [row]) {
      this.#finished ||= part.rid > this.#until;
      if (!this.#finished) this.#waiting.push(part);
    }
    if (this.#waiting.length >= ROWS_AT_ONCE) this.#applyWaiting();
  }

  /** Ends the replay and discards an incomplete transaction. Returns the position that the replay has reached. */
  finish(to: OplogMark): OplogPosition {
    if (!isSame(to, this.#last)) throw new HistoryDiffers('the oplog is truncated');
    if (!this.#proven) throw new HistoryDiffers('the oplog does not continue the snapshot');
    this.#applyWaiting();
    return partsOfPosition(this.#store.oplog.last);
  }

  #applyWaiting(): void {
    const whole = this.#waiting.findLastIndex(({ doc }) => isRun(doc) || !continuesInNext(doc)) + 1;
    const rows = this.#waiting.splice(0, whole);
    if (rows.length === 0) return;
    this.#store.write(() => {
      for (const row of rows) this.#apply(row);
    });
  }

  #apply(row: OplogRow): void {
    const { oplog } = this.#store;
    oplog.adopt(row.rid, row.doc);
    for (const { rid, doc } of isRun(row.doc) ? entriesOf(row) : [row]) {
      try {
        applyEntry(this.#store, doc, rid);
      } catch (error) {
        const { seconds, increment } = partsOfPosition(rid);
        const reason = errorMessage(error);
        throw new HistoryDiffers(`entry ${seconds}:${increment} of the oplog: ${reason}`, { cause: error });
      }
    }
  }

  /** Closes the file, which checkpoints its WAL. */
  close(): void {
    this.#store.close();
  }
}

function entriesOf({ rid, doc }: OplogRow): OplogRow[] {
  const run = new StoredRun(doc, rid);
  return Array.from({ length: run.last - run.first + 1 }, (_, i) => {
    const at = run.first + i;
    return { rid: at, doc: run.entryAt(at) };
  });
}

function isSame(one: OplogMark, other: OplogMark): boolean {
  return one.seconds === other.seconds && one.increment === other.increment && one.digest === other.digest;
}
