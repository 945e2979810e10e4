import type { Change } from './entry.ts';

/**
 * The part of an entry, or of a change in the entry of a transaction, by which a change stream decides whether it can
 * skip the entry.
 */
export interface RecentEntry {
  readonly position: number;
  readonly op: Change['op'];
  /** Empty if the entry can concern any database. */
  readonly database: string;
  /** The collection; undefined if the entry concerns more than the documents of one collection. */
  readonly collection: string | undefined;
}

/** A run of consecutive entries with the same kind of change of the same collection or database. */
interface Run extends Omit<RecentEntry, 'position'> {
  readonly first: number;
  /** The position of the newest entry. */
  position: number;
}

/**
 * Maximum number of runs, of about 100 bytes each. At 2,000 writes per second, each to a different collection, they
 * cover at least the last two seconds.
 */
const KEPT = 8_192;

/** Summarizes the newest entries, so that waiting change streams need not read the file after every commit. */
export class RecentEntries {
  #runs: Run[] = [];
  /** The position after which all entries are summarized. */
  #from: number;

  constructor(last: number) {
    this.#from = last;
  }

  add({ position, op, database, collection }: RecentEntry): void {
    const newest = this.#runs.at(-1);
    if (newest?.database === database && newest.collection === collection && newest.op === op) {
      newest.position = position;
      return;
    }
    if (this.#runs.length >= KEPT) {
      const dropped = this.#runs.splice(0, KEPT / 2);
      this.#from = dropped.at(-1)?.position ?? this.#from;
    }
    this.#runs.push({ first: position, position, op, database, collection });
  }

  /** Forgets the entries after a position, because they were rolled back. */
  undo(last: number): void {
    while ((this.#runs.at(-1)?.first ?? 0) > last) this.#runs.pop();
    const newest = this.#runs.at(-1);
    if (newest !== undefined) newest.position = Math.min(newest.position, last);
  }

  /** True if there may be a wanted entry at or after the position. */
  mayHave(position: number, wanted: (trace: RecentEntry) => boolean): boolean {
    if (position <= this.#from) return true;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i] as Run;
      if (run.position < position) return false;
      if (wanted(run)) return true;
    }
    return false;
  }

  /**
   * Returns an interval that contains all wanted entries at or after the position, or undefined if there are none. The
   * interval ends at the newest wanted entry.
   */
  spanFrom(
    position: number,
    wanted: (trace: RecentEntry) => boolean,
  ): { first: number; last: number } | undefined {
    let span: { first: number; last: number } | undefined;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i] as Run;
      if (run.position < position) break;
      if (wanted(run)) span = { first: Math.max(run.first, position), last: span?.last ?? run.position };
    }
    if (position > this.#from) return span;
    return { first: position, last: span?.last ?? this.#from };
  }

  clear(): void {
    this.#from = this.#runs.at(-1)?.position ?? this.#from;
    this.#runs = [];
  }
}
