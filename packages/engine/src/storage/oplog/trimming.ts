import { steps } from '../../bson/turns.ts';
import { type EntryTable, TRIM_ROWS } from './entry-table.ts';

/** The oplog may exceed its limit by this share. Otherwise every commit would have to remove entries. */
export const SLACK = 1 / 64;
/** Maximum size of the entries that are removed at a time, which takes a few milliseconds. */
const REMOVED_BYTES = 8 * 1024 * 1024;
/** A transaction removes entries whenever it has appended this share of what it removes at a time. */
const REMOVAL_SHARE = 1 / 4;
/** The cost of a removal, in steps, so that other statements can run after it. */
const REMOVAL_STEPS = 1_000;

interface Trimmed {
  /** Returns by how many bytes the oplog exceeds its limit. It may exceed the limit by a share. */
  excess(share: number): number;
  /** Returns the position before which entries may be removed. */
  youngest(): number;
  /** Called when entries were removed. */
  trimmed(entries: number, bytes: number): void;
}

/**
 * Removes the oldest entries of an oplog that exceeds its limit. Each time, it removes a bounded number of them, because
 * removing all can take seconds if the limit was lowered.
 */
export class Trimming {
  readonly #table: EntryTable;
  readonly #log: Trimmed;
  /** Number of removals that the running transaction owes for what it has appended. */
  #owed = 0;

  constructor(table: EntryTable, log: Trimmed) {
    this.#table = table;
    this.#log = log;
  }

  get isDue(): boolean {
    return this.#log.excess(SLACK) > 0;
  }

  /** Removes some entries if the limit is exceeded. */
  beforeCommit(): void {
    this.#owed = 0;
    this.#remove();
  }

  /** Removes entries within a transaction that appends many, so that the oplog does not grow. */
  appended(entries: number, bytes: number): void {
    this.#owed += Math.max(entries / TRIM_ROWS, bytes / REMOVED_BYTES) / REMOVAL_SHARE;
    for (; this.#owed >= 1; this.#owed--) {
      if (this.#remove()) steps(REMOVAL_STEPS);
      else this.#owed = 0;
    }
  }

  /** Returns false if there are no entries to remove. */
  #remove(): boolean {
    if (!this.isDue) return false;
    const excess = this.#log.excess(0);
    let [last, entries, bytes] = [0, 0, 0];
    for (const row of this.#table.oldest(this.#log.youngest())) {
      if (bytes >= excess || bytes >= REMOVED_BYTES) break;
      last = row.rid;
      entries += row.entries;
      bytes += row.bytes;
    }
    if (entries === 0) return false;
    this.#table.removeUpTo(last);
    this.#log.trimmed(entries, bytes);
    return true;
  }
}
