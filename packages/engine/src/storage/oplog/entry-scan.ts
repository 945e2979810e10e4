import { RawDocument } from '../../bson/raw.ts';
import type { Connection } from '../file/connection.ts';
import { type Bound, naturalOrder } from '../records/order.ts';
import type { StoredRecord } from '../records/page.ts';
import { type RecordStream, Scan, type ScanSource } from '../records/scan.ts';
import { isRun, StoredRun } from './insert-run.ts';

/** An interval of oplog positions. */
export interface Span {
  readonly low?: Bound | undefined;
  readonly high?: Bound | undefined;
}

/** Scans the entries of the oplog. Splits rows that contain runs of inserts into entries. */
export class EntryScan implements RecordStream {
  readonly #source: ScanSource;
  readonly #reverse: boolean;
  readonly #expected: number | undefined;
  readonly #skips: ((namespace: string) => boolean) | undefined;
  #span: Span;
  #rows: Scan | undefined;
  #run: StoredRun | undefined;
  /** The position of the next entry in the run. */
  #next = 0;
  #last: number | undefined;
  #ended = false;

  /** If `skips` returns true for the namespace of a run of inserts, the scan returns one empty document for the run. */
  constructor(
    source: ScanSource,
    span: Span,
    reverse: boolean,
    expected?: number,
    skips?: (namespace: string) => boolean,
  ) {
    this.#source = source;
    this.#span = span;
    this.#reverse = reverse;
    this.#expected = expected;
    this.#skips = skips;
  }

  next(): StoredRecord | undefined {
    while (!this.#ended) {
      const record = this.#run === undefined ? this.#take() : this.#fromRun(this.#run);
      if (record === undefined || this.#isBeforeSpan(record.rid)) continue;
      if (this.#isAfterSpan(record.rid)) break;
      this.#last = record.rid;
      return record;
    }
    this.#ended = true;
    return undefined;
  }

  /** Returns the next row if it is a single entry. If it is a run, opens the run and returns undefined. */
  #take(): StoredRecord | undefined {
    this.#rows ??= this.#open();
    const row = this.#rows.next();
    if (row === undefined) {
      this.#ended = true;
      return undefined;
    }
    if (!isRun(row.doc)) return row;
    this.#run = new StoredRun(row.doc, row.rid);
    const { first, last } = this.#run;
    if (this.#skips?.(this.#run.namespace) === true) return this.#passed(last);
    const { low, high } = this.#span;
    this.#next = this.#reverse ? Math.min(last, numberOf(high, last)) : Math.max(first, numberOf(low, first));
    return undefined;
  }

  #passed(last: number): StoredRecord {
    this.#run = undefined;
    const end = numberOf(this.#span.high, last);
    return { rid: Math.min(last, end), doc: RawDocument.empty };
  }

  #fromRun(run: StoredRun): StoredRecord | undefined {
    const rid = this.#next;
    if (rid < run.first || rid > run.last) {
      this.#run = undefined;
      return undefined;
    }
    this.#next += this.#reverse ? -1 : 1;
    return { rid, doc: run.entryAt(rid) };
  }

  release(): void {
    if (this.#ended) return;
    if (this.#last !== undefined) {
      const from = { value: this.#last, inclusive: false };
      this.#span = this.#reverse ? { ...this.#span, high: from } : { ...this.#span, low: from };
    }
    this.#rows = undefined;
    this.#run = undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  #isBeforeSpan(position: number): boolean {
    return this.#reverse ? !isBelow(position, this.#span.high) : !isAbove(position, this.#span.low);
  }

  #isAfterSpan(position: number): boolean {
    return this.#reverse ? !isAbove(position, this.#span.low) : !isBelow(position, this.#span.high);
  }

  #open(): Scan {
    this.#source.check();
    const { low, high } = this.#span;
    const { connection, table } = this.#source;
    const order = naturalOrder(this.#reverse, low, high && rowOf(connection, table, high));
    return new Scan(this.#source, order, this.#expected);
  }
}

/**
 * Returns the row that contains the last entry of a span. The row of a run has the position of its newest entry, which
 * may lie after the end of the span.
 */
function rowOf(connection: Connection, table: string, { value }: Bound): Bound | undefined {
  const row = connection.get<[number | null]>(`SELECT min(rid) FROM ${table} WHERE rid >= ?`, value);
  const rid = row?.[0] ?? undefined;
  return rid === undefined ? undefined : { value: rid, inclusive: true };
}

function isBelow(position: number, high: Bound | undefined): boolean {
  if (high === undefined) return true;
  const end = Number(high.value);
  return position < end || (high.inclusive && position === end);
}

function isAbove(position: number, low: Bound | undefined): boolean {
  if (low === undefined) return true;
  const end = Number(low.value);
  return position > end || (low.inclusive && position === end);
}

function numberOf(bound: Bound | undefined, otherwise: number): number {
  return bound === undefined ? otherwise : Number(bound.value);
}
