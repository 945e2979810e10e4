import { checking } from '../../language/expression/entries.ts';
import type { Statement } from '../../statement/statement.ts';
import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';
import type { Overlay, Written } from './overlay.ts';

/** The order of records along an access path. */
export interface ScanOrder<Position> {
  /** Returns the position of a document on the path, or undefined if the path does not contain it. */
  positionOf(record: StoredRecord): Position | undefined;
  /** Returns a negative number if `a` comes before `b` on the path. */
  compare(a: Position, b: Position): number;
}

interface Placed<Position> {
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
  /** The written documents on the path, in reverse order. */
  readonly #above: Placed<Position>[];
  readonly #shown: Set<string>;
  #next: StoredRecord | undefined;

  constructor(below: RecordStream, overlay: Overlay, order: ScanOrder<Position>, statement: Statement) {
    this.#below = below;
    this.#overlay = overlay;
    this.#order = order;
    this.#above = [];
    this.#shown = new Set();
    for (const one of overlay.values()) {
      statement.check();
      this.#shown.add(one.name);
      const found = placed(one, order);
      if (found !== undefined) this.#above.push(found);
    }
    this.#above.sort(checking(statement, (a, b) => order.compare(b.position, a.position)));
  }

  next(): StoredRecord | undefined {
    const below = this.#peek();
    const above = this.#above.at(-1);
    if (above === undefined || (below !== undefined && this.#comesFirst(below, above))) {
      this.#next = undefined;
      return below;
    }
    this.#above.pop();
    return above.record;
  }

  #comesFirst(below: StoredRecord, above: Placed<Position>): boolean {
    const position = this.#order.positionOf(below);
    return position === undefined || this.#order.compare(position, above.position) <= 0;
  }

  /** Returns the next record of the snapshot. Skips records that the transaction has written. */
  #peek(): StoredRecord | undefined {
    while (this.#next === undefined) {
      const record = this.#below.next();
      if (record === undefined) return undefined;
      const written = this.#overlay.ofRecord(record);
      if (written === undefined) this.#next = record;
      else if (written.doc !== undefined && !this.#shown.has(written.name)) {
        this.#next = { rid: record.rid, doc: written.doc };
      }
    }
    return this.#next;
  }

  release(): void {
    this.#below.release();
  }

  get ended(): boolean {
    return this.#next === undefined && this.#above.length === 0 && this.#below.ended;
  }
}

function placed<Position>({ doc, rid }: Written, order: ScanOrder<Position>): Placed<Position> | undefined {
  if (doc === undefined) return undefined;
  const record = { rid, doc };
  const position = order.positionOf(record);
  return position && { record, position };
}

/** An empty stream. */
export const noRecords: RecordStream = { next: () => undefined, release() {}, ended: true };
