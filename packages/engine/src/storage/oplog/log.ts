import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { Collection, type CollectionRow, type Counts } from '../collection/collection.ts';
import type { Connection } from '../file/connection.ts';
import { tableName } from '../file/table-name.ts';
import type { Transaction } from '../file/transaction.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { RecordStream, ScanSource } from '../records/scan.ts';
import {
  type Change,
  type EntryNamespace,
  encodeEntry,
  keyOf,
  type Moment,
  type Origin,
  type SessionNumber,
} from './entry.ts';
import { EntryScan } from './entry-scan.ts';
import { EntryTable } from './entry-table.ts';
import { batchesOf, type GatheredChange, type Gathering, tracesOf } from './gathering.ts';
import { PreImages, type Replayed } from './images.ts';
import { isRun, originAt, PendingRun, type RunHead, sizeOfRun } from './insert-run.ts';
import { OPLOG } from './name.ts';
import { oplogSpan } from './path.ts';
import { RecentEntries } from './recent.ts';
import { StoredCounts, withUncounted } from './stored-counts.ts';
import { nextPosition, type OplogSource, secondOf } from './time.ts';
import { SLACK, Trimming } from './trimming.ts';

/** The default size: 128 MiB. */
const OPLOG_BYTES = 128 * 1024 * 1024;
/** Maximum size of the documents in one row. Reading any of its entries means reading the whole row. */
const RUN_BYTES = 64 * 1024;

/**
 * The entries of `local.oplog.rs`, in a table whose row ids are the positions of the entries. A run of inserts has the
 * position of its newest entry. Each entry is added in the transaction of its change. When the oplog exceeds `limit`
 * bytes, the oldest entries are removed, unless they are younger than `retainedMs`.
 */
export class Log extends Collection {
  /** The statement that is running, if it can be retried. */
  origin: Origin | undefined;
  limit = OPLOG_BYTES;
  /** Entries younger than this, in service time, are kept even if the oplog exceeds its size. */
  retainedMs = 0;
  /** Number of times that entries have been removed since the oplog was opened. */
  truncations = 0;
  /** The service time of the newest entry. */
  lastWall = 0;
  /** Set while entries that `adopt` has stored are replayed. No entry is appended for their changes. */
  replaying: Replayed | undefined;
  readonly images: PreImages;
  readonly recent: RecentEntries;
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #source: OplogSource;
  readonly #table: EntryTable;
  #last: number;
  readonly #stored: StoredCounts;
  readonly #touched: (collection: Collection) => void;
  #first: number | undefined;
  #whole: boolean | undefined;
  #gathering: Gathering | undefined;
  /** Inserts that already have positions but are not yet written as a row. */
  #pending: PendingRun | undefined;
  #mark = -1;
  readonly #trimming: Trimming;
  /** The value of `truncations` when the counts were last stored. */
  #storedTruncations = 0;

  constructor(
    row: CollectionRow,
    connection: Connection,
    transaction: Transaction,
    touched: (collection: Collection) => void,
    source: OplogSource,
  ) {
    super(withUncounted(row, connection), connection, transaction, () => {});
    this.#stored = new StoredCounts(row, transaction);
    this.#touched = touched;
    this.#connection = connection;
    this.#transaction = transaction;
    this.#source = source;
    this.#table = new EntryTable(connection, this.table);
    this.#trimming = new Trimming(this.#table, {
      excess: (share) => this.bytes - this.limit * (1 + share),
      youngest: () => this.#youngest,
      trimmed: (entries, bytes) => this.#trimmed(entries, bytes),
    });
    this.#last = this.#table.last();
    this.images = new PreImages(connection, () => source.now());
    this.recent = new RecentEntries(this.#last);
    this.lastWall = (this.#last / secondOf(1000)) * 1000;
    transaction.onBoundary = () => this.#flush();
  }

  static readonly options = RawDocument.from({ capped: true, size: OPLOG_BYTES, autoIndexId: false });

  static createTable(connection: Connection, number: number): void {
    EntryTable.create(connection, tableName(number));
  }

  override get counts(): Counts {
    return this.#stored.current;
  }

  /** The position of the newest entry. */
  get last(): number {
    return this.#last;
  }

  /** The position of the oldest entry. */
  get first(): number {
    this.#flush();
    this.#first ??= this.#table.first();
    return this.#first;
  }

  /** True if no entry has been removed since the oplog was created. */
  get isComplete(): boolean {
    this.#whole ??= this.#table.hasFirstEntry();
    return this.#whole;
  }

  /** The limits in the options of the oplog, or the default limits. A command can set these options. */
  get ownLimits(): { limit: number; retainedMs: number } {
    const hours = this.options.get('minRetentionHours');
    return {
      limit: this.options.int('size') ?? OPLOG_BYTES,
      retainedMs: (hours === undefined ? 0 : toNumber(hours)) * 3_600_000,
    };
  }

  /** Called before each commit. Removes some of the entries beyond the limits, and some expired pre-images. */
  beforeCommit(): void {
    this.images.purge();
    this.#trimming.beforeCommit();
    const { documents, bytes, last: counted, truncations } = this;
    if (this.#stored.renew({ documents, bytes, counted }, truncations !== this.#storedTruncations)) {
      this.#storedTruncations = truncations;
      this.#touched(this);
    }
  }

  /** True if later commits must remove further entries. */
  get exceedsLimit(): boolean {
    return this.#trimming.isDue && this.first < this.#youngest;
  }

  /** Entries before this position may be removed. */
  get #youngest(): number {
    const { retainedMs } = this;
    if (retainedMs <= 0) return this.#last;
    return Math.min(this.#last, secondOf(this.#source.now() - retainedMs));
  }

  #trimmed(entries: number, bytes: number): void {
    this.count(-entries, -bytes);
    this.truncations++;
    this.#forgetEnds();
    this.images.forgetBefore(this.first);
  }

  #forgetEnds(): void {
    this.#first = undefined;
    this.#whole = undefined;
    this.#transaction.undoing(() => {
      this.#first = undefined;
      this.#whole = undefined;
    });
  }

  override get indexed(): boolean {
    return false;
  }

  override scan(path: AccessPath, expected?: number): RecordStream {
    return new EntryScan(this.#rows, oplogSpan(path), path.reverse, expected);
  }

  get #rows(): ScanSource {
    return { connection: this.#connection, table: this.table, check: () => this.#flush() };
  }

  /**
   * Returns a position before the first entry of a scan along the path. Returns undefined if the scan starts
   * at an end of the oplog.
   */
  positionBefore(path: AccessPath): number | undefined {
    const { low, high } = oplogSpan(path);
    const start = path.reverse ? high : low;
    if (start === undefined || typeof start.value !== 'number') return undefined;
    return Math.max(start.inclusive ? start.value - 1 : start.value, this.first - 1);
  }

  /** Scans the entries from a position on, inclusive. */
  scanFrom(position: number): RecordStream {
    return new EntryScan(this.#rows, { low: including(position) }, false);
  }

  /**
   * Scans the entries from `first` to `last`, inclusive. Returns a single empty document, with the position of the
   * newest entry, in place of each run of inserts into a collection that `skips` names.
   */
  scanBetween(first: number, last: number, skips: (namespace: string) => boolean): RecordStream {
    return new EntryScan(
      this.#rows,
      { low: including(first), high: including(last) },
      false,
      undefined,
      skips,
    );
  }

  /** Scans the entries after a position, or all entries. */
  scanAfter(rid: number | undefined): RecordStream {
    return this.scanFrom(rid === undefined ? 0 : rid + 1);
  }

  /** True if all entries after the position are still present. */
  holds(rid: number): boolean {
    return this.isComplete || rid >= this.first - 1;
  }

  entryAt(position: number): RawDocument | undefined {
    this.#flush();
    return this.#table.entryAt(position);
  }

  override insert = notWritable;
  override replace = notWritable;
  override remove = notWritable;

  override find(): undefined {
    return undefined;
  }

  /**
   * Must run inside `write`. Appends the changes that `work` makes as one transaction, in one entry or several
   * consecutive ones.
   */
  gather<T>(session: SessionNumber, work: () => T): T {
    const gathering: Gathering = { session, parts: [] };
    this.#gathering = gathering;
    let result: T;
    try {
      result = work();
    } finally {
      this.#gathering = undefined;
    }
    this.#appendGathered(gathering);
    return result;
  }

  /** Must run inside `write`. Appends nothing for the changes that `work` makes. */
  unlogged<T>(work: () => T): T {
    const { replaying } = this;
    this.replaying = { position: this.#last, step: 0, wall: this.lastWall };
    try {
      return work();
    } finally {
      this.replaying = replaying;
    }
  }

  #appendGathered({ session, parts }: Gathering): void {
    let previous: Origin['previous'];
    for (const { change, parts: own } of batchesOf(parts)) {
      const moment = this.#appendEntry(change, previous === undefined ? session : { ...session, previous });
      own.forEach(({ image }, step) => {
        if (image) this.images.save({ position: moment.position, step }, image.uuid, moment.wall, image.doc);
      });
      previous = moment;
    }
    if (previous !== undefined)
      for (const trace of tracesOf(parts, previous.position)) this.recent.add(trace);
  }

  /** Appends an entry. `collection` is set if the change concerns documents. */
  protected append(
    change: Change,
    database: string,
    collection?: string,
    image?: GatheredChange['image'],
  ): void {
    if (this.replaying !== undefined) {
      if (image) this.images.save(this.replaying, image.uuid, this.replaying.wall, image.doc);
      return;
    }
    if (this.#gathering !== undefined) {
      const { parts } = this.#gathering;
      parts.push({ change, image, database, collection });
      this.#transaction.undoing(() => parts.pop());
      return;
    }
    const { position, wall } = this.#appendEntry(change, this.origin);
    // Readers can skip a no-op that concerns no collection.
    if (database !== '') this.recent.add({ position, op: change.op, database, collection });
    if (image !== undefined) this.images.save({ position, step: 0 }, image.uuid, wall, image.doc);
  }

  /** Appends the inserts of one statement. Consecutive inserts share a row. */
  protected appendInserts(
    namespace: EntryNamespace,
    docs: readonly RawDocument[],
    database: string,
    collection: string,
  ): void {
    if (this.replaying !== undefined) return;
    if (this.#gathering !== undefined) {
      for (const doc of docs)
        this.append({ op: 'i', namespace, o: doc, o2: keyOf(doc) }, database, collection);
      return;
    }
    this.#remember();
    const { term, wall, position } = this.#nextMoment();
    let bytes = 0;
    for (const [step, doc] of docs.entries()) {
      const moment = { position: nextPosition(this.#last, wall), term, wall };
      bytes += this.#appendInsert({ namespace, origin: originAt(this.origin, step), moment }, doc);
      this.#last = moment.position;
    }
    this.lastWall = wall;
    this.count(docs.length, bytes);
    this.recent.add({ position, op: 'i', database, collection });
    this.recent.add({ position: this.#last, op: 'i', database, collection });
    this.#trimming.appended(docs.length, bytes);
  }

  /** Adds an insert to the pending run, or to a new run. Returns the size of its entry. */
  #appendInsert(head: RunHead, doc: RawDocument): number {
    const most = Math.min(RUN_BYTES, this.limit * SLACK);
    if (this.#pending?.accepts(head, doc, most)) return this.#pending.add(doc);
    this.#flush();
    this.#pending = new PendingRun(head, doc);
    return this.#pending.bytes;
  }

  #appendEntry(change: Change, origin: Origin | undefined): Moment {
    this.#flush();
    const moment = this.#nextMoment();
    const entry = encodeEntry(change, moment, origin);
    this.#table.insert(moment.position, entry.toBytes());
    this.#appended(moment, entry.length);
    this.#trimming.appended(1, entry.length);
    return moment;
  }

  /** Must run inside `write`. Appends an unchanged row from another file with the same history. */
  adopt(rid: number, row: RawDocument): void {
    this.#remember();
    this.#table.insert(rid, row.toBytes());
    this.#last = rid;
    const { entries, bytes } = isRun(row) ? sizeOfRun(row) : { entries: 1, bytes: row.length };
    this.count(entries, bytes);
    this.#trimming.appended(1, bytes);
  }

  #nextMoment(): Moment {
    const wall = this.#source.now();
    return { position: nextPosition(this.#last, wall), term: this.#source.term(), wall };
  }

  #appended({ position, wall }: Moment, bytes: number): void {
    this.#remember();
    this.#last = position;
    this.lastWall = wall;
    this.count(1, bytes);
  }

  /** Writes the pending inserts. Must run before another entry is appended and before entries are read. */
  #flush(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#table.insert(pending.last, pending.encode());
    this.#pending = undefined;
  }

  #remember(): void {
    if (this.#mark === this.#transaction.mark) return;
    const last = this.#last;
    this.#transaction.undoing(() => {
      this.#pending = undefined;
      this.#last = last;
      this.#mark = -1;
      this.recent.undo(last);
    });
    this.#mark = this.#transaction.mark;
  }
}

const including = (value: number) => ({ value, inclusive: true });

function notWritable(): never {
  throw new ServerError('InvalidNamespace', `cannot write to ${OPLOG.database}.${OPLOG.name}`);
}
