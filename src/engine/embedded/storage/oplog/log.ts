import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { AccessPath } from '../access.ts';
import { checkDocument, checksumOf } from '../checksum.ts';
import { Collection, type CollectionRow, tableName } from '../collection.ts';
import type { Connection } from '../connection.ts';
import { naturalOrder } from '../order.ts';
import { type RecordStream, Scan } from '../scan.ts';
import type { Transaction } from '../transaction.ts';
import {
  type Change,
  encodeEntry,
  isBeginning,
  type Moment,
  type Origin,
  type SessionNumber,
} from './entry.ts';
import { batchesOf, type GatheredChange, type Gathering } from './gathering.ts';
import { Images } from './images.ts';
import { oplogOrder } from './path.ts';
import { Recent } from './recent.ts';
import { nextPosition, secondOf } from './time.ts';

export const OPLOG = { database: 'local', name: 'oplog.rs' } as const;

/** What entries say of the replica set when they are made. */
export interface OplogSource {
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  term(): number;
}

/** Kept where nobody says otherwise: 128 MiB. */
const OPLOG_BYTES = 128 * 1024 * 1024;
/** Rows that are removed at once. */
const TRIM_ROWS = 1_000;
/** It may grow beyond its size by this share, so that not every commit removes something. */
const SLACK = 1 / 64;

/**
 * The entries of `local.oplog.rs`: a table whose row ids are the times of its entries. Entries are added in the
 * transaction of the change; the oldest go when there are more bytes than `limit` and none is needed for `retainedMs`.
 */
export class Log extends Collection {
  /** The statement that is run, where it could come a second time. */
  origin: Origin | undefined;
  limit = OPLOG_BYTES;
  /** Entries younger than this stay whatever the size, in service time. */
  retainedMs = 0;
  /** How often entries have gone since it was opened. */
  truncations = 0;
  /** Service time at which the newest entry was made. */
  lastWall = 0;
  readonly images: Images;
  readonly recent: Recent;
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #source: OplogSource;
  readonly #insertSql: string;
  #last: number;
  #first: number | undefined;
  #whole: boolean | undefined;
  #gathering: Gathering | undefined;
  #mark = -1;

  constructor(
    row: CollectionRow,
    connection: Connection,
    transaction: Transaction,
    touched: (collection: Collection) => void,
    source: OplogSource,
  ) {
    super(row, connection, transaction, touched);
    this.#connection = connection;
    this.#transaction = transaction;
    this.#source = source;
    this.#insertSql = `INSERT INTO ${this.table} (rid, checksum, doc) VALUES (?, ?, ?)`;
    this.#last = connection.get<[number | null]>(`SELECT max(rid) FROM ${this.table}`)?.[0] ?? 0;
    this.images = new Images(connection, () => source.now());
    this.recent = new Recent(this.#last);
    this.lastWall = (this.#last / secondOf(1000)) * 1000;
  }

  static readonly options = RawDocument.from({ capped: true, size: OPLOG_BYTES, autoIndexId: false });

  static createTable(connection: Connection, number: number): void {
    connection.exec(`CREATE TABLE ${tableName(number)} (
      rid INTEGER PRIMARY KEY, checksum INTEGER, doc BLOB NOT NULL) STRICT`);
  }

  /** The position of the newest entry. */
  get last(): number {
    return this.#last;
  }

  /** The position of the oldest entry. */
  get first(): number {
    this.#first ??= this.#connection.get<[number | null]>(`SELECT min(rid) FROM ${this.table}`)?.[0] ?? 0;
    return this.#first;
  }

  /** No entry has gone yet. */
  get isWhole(): boolean {
    if (this.#whole === undefined) {
      const row = this.#connection.get<[Uint8Array]>(`SELECT doc FROM ${this.table} ORDER BY rid LIMIT 1`);
      this.#whole = row !== undefined && isBeginning(new RawDocument(row[0]));
    }
    return this.#whole;
  }

  /** What was set for it, by command or by default. */
  get ownLimits(): { limit: number; retainedMs: number } {
    const hours = this.options.get('minRetentionHours');
    return {
      limit: this.options.int('size') ?? OPLOG_BYTES,
      retainedMs: (hours === undefined ? 0 : toNumber(hours)) * 3_600_000,
    };
  }

  /** Part of each commit: lets the oldest entries go, and images that are too old. */
  trim(): void {
    this.images.purge();
    if (this.bytes <= this.limit * (1 + SLACK)) return;
    const { retainedMs } = this;
    const youngest =
      retainedMs > 0 ? Math.min(this.#last, secondOf(this.#source.now() - retainedMs)) : this.#last;
    const before = this.bytes;
    while (this.bytes > this.limit && this.#trimOnce(youngest));
    if (this.bytes === before) return;
    this.truncations++;
    this.#forgetEnds();
    this.images.forgetBefore(this.first);
  }

  /** Removes entries before a position; false when there is none that may go. */
  #trimOnce(youngest: number): boolean {
    const rows = this.#connection.all<[number, number]>(
      `SELECT rid, octet_length(doc) FROM ${this.table} WHERE rid < ? ORDER BY rid LIMIT ${TRIM_ROWS}`,
      youngest,
    );
    const going: typeof rows = [];
    let bytes = 0;
    for (const row of rows) {
      if (this.bytes - bytes <= this.limit) break;
      bytes += row[1];
      going.push(row);
    }
    this.#connection.run(`DELETE FROM ${this.table} WHERE rid <= ?`, going.at(-1)?.[0] ?? 0);
    this.count(-going.length, -bytes);
    return going.length > 0;
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
    const source = { connection: this.#connection, table: this.table, check: () => {} };
    return new Scan(source, oplogOrder(path), expected);
  }

  /** A position behind which are all entries of a path. */
  positionBefore(path: AccessPath): number | undefined {
    const { start } = oplogOrder(path);
    if (start === undefined || typeof start.value !== 'number') return undefined;
    return Math.max(start.inclusive ? start.value - 1 : start.value, this.first - 1);
  }

  /** Entries from a position on. */
  scanFrom(position: number): RecordStream {
    const source = { connection: this.#connection, table: this.table, check: () => {} };
    return new Scan(source, naturalOrder(false, { value: position, inclusive: true }));
  }

  /** Entries behind one, or all. */
  scanBehind(rid: number | undefined): RecordStream {
    return this.scanFrom(rid === undefined ? 0 : rid + 1);
  }

  /** No entry behind that position has gone. */
  holds(rid: number): boolean {
    return this.isWhole || rid >= this.first - 1;
  }

  entryAt(position: number): RawDocument | undefined {
    const sql = `SELECT doc, checksum FROM ${this.table} WHERE rid = ?`;
    const row = this.#connection.get<[Uint8Array, number | null]>(sql, position);
    if (row === undefined) return undefined;
    checkDocument(...row, { file: this.#connection.file, table: this.table, rid: position });
    return new RawDocument(row[0]);
  }

  override insert(): never {
    throw notWritable();
  }

  override find(): undefined {
    return undefined;
  }

  override replace(): never {
    throw notWritable();
  }

  override remove(): never {
    throw notWritable();
  }

  /** Inside `write`: what `work` changes becomes one entry of a transaction, or several that follow each other. */
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

  #appendGathered({ session, parts }: Gathering): void {
    let former: Origin['former'];
    for (const { change, parts: own } of batchesOf(parts)) {
      const moment = this.#appendEntry(change, former === undefined ? session : { ...session, former });
      own.forEach(({ image }, step) => {
        if (image) this.images.save({ position: moment.position, step }, image.uuid, moment.wall, image.doc);
      });
      this.recent.add({ position: moment.position, database: '', collection: undefined });
      former = moment;
    }
  }

  /** `collection` is what the change is about, where it is about documents. */
  protected append(
    change: Change,
    database: string,
    collection?: string,
    image?: GatheredChange['image'],
  ): void {
    if (this.#gathering !== undefined) {
      const { parts } = this.#gathering;
      parts.push({ change, image });
      this.#transaction.undoing(() => parts.pop());
      return;
    }
    const { position, wall } = this.#appendEntry(change, this.origin);
    this.recent.add({ position, database, collection });
    if (image !== undefined) this.images.save({ position, step: 0 }, image.uuid, wall, image.doc);
  }

  #appendEntry(change: Change, origin: Origin | undefined): Moment {
    const wall = this.#source.now();
    const position = nextPosition(this.#last, wall);
    const moment = { position, term: this.#source.term(), wall };
    const entry = encodeEntry(change, moment, origin);
    const bytes = entry.toBytes();
    this.#connection.run(this.#insertSql, position, checksumOf(bytes), bytes);
    this.#remember();
    this.#last = position;
    this.lastWall = wall;
    this.count(1, entry.length);
    return moment;
  }

  #remember(): void {
    if (this.#mark === this.#transaction.mark) return;
    const last = this.#last;
    this.#transaction.undoing(() => {
      this.#last = last;
      this.#mark = -1;
      this.recent.undo(last);
    });
    this.#mark = this.#transaction.mark;
  }
}

function notWritable(): ServerError {
  return new ServerError('InvalidNamespace', `cannot write to ${OPLOG.database}.${OPLOG.name}`);
}
