import { RawDocument } from '../../bson/raw.ts';
import { checkDocument, checksumOf } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import { secondOf } from './time.ts';

/** Identifies a change by the position of its oplog entry and its index within that entry. */
export interface ChangePlace {
  readonly position: number;
  readonly step: number;
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

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  save({ position, step }: ChangePlace, uuid: Uint8Array, wall: number, doc: RawDocument): void {
    const bytes = doc.toBytes();
    this.#connection.run(
      'INSERT INTO images (position, step, uuid, wall, doc, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      position,
      step,
      uuid,
      wall,
      bytes,
      checksumOf(bytes),
    );
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

  /** Removes the pre-images of oplog entries before a position. */
  forgetBefore(position: number): void {
    this.#connection.run('DELETE FROM images WHERE position < ?', position);
  }

  /** Removes expired pre-images. Called in each commit, but works at most once per second. */
  purge(): void {
    const before = this.#expired();
    const expired = secondOf(before);
    if (before === Number.NEGATIVE_INFINITY || expired === this.#purged) return;
    this.#purged = expired;
    this.forgetBefore(expired);
  }

  #expired(): number {
    const seconds = this.expireAfterSeconds();
    return seconds === undefined ? Number.NEGATIVE_INFINITY : this.#now() - seconds * 1000;
  }
}
