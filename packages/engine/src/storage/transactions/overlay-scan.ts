import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';
import type { Overlay } from './overlay.ts';

/** The order of records along an access path. */
export interface ScanOrder<Position> {
  /** Returns the position of a document on the path, or undefined if the path does not contain it. */
  positionOf(record: StoredRecord): Position | undefined;
  /** Returns a negative number if `a` comes before `b` on the path. */
  compare(a: Position, b: Position): number;
}

/** A written document on an access path. */
export interface Placed<Position> {
  readonly record: StoredRecord;
  readonly position: Position;
}

/**
 * Merges the records of a snapshot with those that a transaction has written. A document that is written during the
 * scan does not appear twice.
 */
export class OverlayScan<Position> implements RecordStream {
  readonly #below: RecordStream;
  readonly #overlay: Overlay;
  readonly #order: ScanOrder<Position>;
  readonly #above: Iterator<Placed<Position>>;
  /** The next written document on the path. Null if it is not read yet. */
  #nextAbove: Placed<Position> | undefined | null = null;
  /** The number of writes of the transaction when the scan began. */
  readonly #begun: number;
  #next: StoredRecord | undefined;

  /** `above` yields the written documents on the path. */
  constructor(
    below: RecordStream,
    overlay: Overlay,
    order: ScanOrder<Position>,
    above: Iterator<Placed<Position>>,
  ) {
    this.#below = below;
    this.#overlay = overlay;
    this.#order = order;
    this.#above = above;
    this.#begun = overlay.writes;
  }

  next(): StoredRecord | undefined {
    const below = this.#peek();
    const above = this.#peekAbove();
    if (above === undefined || (below !== undefined && this.#comesFirst(below, above))) {
      this.#next = undefined;
      return below;
    }
    this.#nextAbove = null;
    return above.record;
  }

  #comesFirst(below: StoredRecord, above: Placed<Position>): boolean {
    const position = this.#order.positionOf(below);
    return position === undefined || this.#order.compare(position, above.position) <= 0;
  }

  #peekAbove(): Placed<Position> | undefined {
    if (this.#nextAbove !== null) return this.#nextAbove;
    const { done, value } = this.#above.next();
    this.#nextAbove = done === true ? undefined : value;
    return this.#nextAbove;
  }

  /** Returns the next record of the snapshot. Skips records that the transaction has written. */
  #peek(): StoredRecord | undefined {
    while (this.#next === undefined) {
      const record = this.#below.next();
      if (record === undefined) return undefined;
      const written = this.#overlay.ofRecord(record);
      if (written === undefined) this.#next = record;
      else if (written.doc !== undefined && written.since > this.#begun) {
        this.#next = { rid: record.rid, doc: written.doc };
      }
    }
    return this.#next;
  }

  release(): void {
    this.#below.release();
  }

  get ended(): boolean {
    return this.#next === undefined && this.#peekAbove() === undefined && this.#below.ended;
  }
}

/** An empty stream. */
export const noRecords: RecordStream = { next: () => undefined, release() {}, ended: true };
