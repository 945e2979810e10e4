import { RawDocument } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';
import { checkDocument, checksumOf } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import { secondOf } from './time.ts';

/** The cost of saving a pre-image, in steps, in addition to the cost of copying it. */
const SAVE_STEPS = 8;
/** Number of pre-images that are removed at a time, and number of bytes. Each takes a few milliseconds. */
const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 4_194_304;

/** Identifies a change by the position of its oplog entry and its index within that entry. */
export interface ChangePlace {
  readonly position: number;
  readonly step: number;
}

/** The position and time of the entry whose changes are being replayed. */
export interface Replayed extends ChangePlace {
  readonly wall: number;
}

/**
 * The pre-images of collections with `changeStreamPreAndPostImages`, each stored in the transaction of its oplog entry.
 */
export class PreImages {
  /** The lifetime of a pre-image in seconds; undefined if it is removed together with its oplog entry. */
  expireAfterSeconds: () => number | undefined = () => undefined;
  readonly #connection: Connection;
  readonly #now: () => number;
  #purged = 0;
  /** The position before which all pre-images are to be removed. */
  #before = 0;
  /** True if there may be such pre-images. */
  #mayRemove = false;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  save({ position, step }: ChangePlace, uuid: Uint8Array, wall: number, doc: RawDocument): void {
    const bytes = doc.toBytes();
    steps(SAVE_STEPS);
    this.#connection.run(
      'INSERT INTO images (position, step, uuid, wall, doc, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      position,
      step,
      uuid,
      wall,
      bytes,
      checksumOf(bytes),
    );
    // Remove more than was added, so that the table does not grow.
    this.#removeSome(2 * bytes.length);
  }

  find({ position, step }: ChangePlace): RawDocument | undefined {
    const row = this.#connection.get<[number, Uint8Array, number | null]>(
      'SELECT wall, doc, checksum FROM images WHERE position = ? AND step = ?',
      position,
      step,
    );
    if (row === undefined || row[0] <= this.#expired()) return undefined;
    const [, doc, checksum] = row;
    checkDocument(doc, checksum, { file: this.#connection.file, table: 'images', rid: position });
    return new RawDocument(doc);
  }

  /** Removes pre-images of oplog entries before a position: some of them now, and the others in later commits. */
  forgetBefore(position: number): void {
    this.#before = Math.max(this.#before, position);
    this.#mayRemove = true;
    this.#removeSome(BYTES_AT_ONCE);
  }

  #removeSome(most: number): void {
    if (!this.#mayRemove) return;
    const rows = this.#connection.all<[number, number, number]>(
      `SELECT position, step, octet_length(doc) FROM images WHERE position < ?
       ORDER BY position, step LIMIT ${ROWS_AT_ONCE}`,
      this.#before,
    );
    let [read, bytes] = [0, 0];
    while (read < rows.length && bytes < most) bytes += rows[read++]?.[2] ?? 0;
    const last = rows[read - 1];
    if (last !== undefined)
      this.#connection.run('DELETE FROM images WHERE (position, step) <= (?, ?)', last[0], last[1]);
    this.#mayRemove = read < rows.length || rows.length === ROWS_AT_ONCE;
  }

  /** Removes some of the expired pre-images. Called in each commit. */
  purge(): void {
    const before = this.#expired();
    const expired = secondOf(before);
    if (before !== Number.NEGATIVE_INFINITY && expired !== this.#purged) {
      this.#purged = expired;
      this.forgetBefore(expired);
    } else this.#removeSome(BYTES_AT_ONCE);
  }

  #expired(): number {
    const seconds = this.expireAfterSeconds();
    return seconds === undefined ? Number.NEGATIVE_INFINITY : this.#now() - seconds * 1000;
  }
}
