import { RawDocument } from '../../bson/raw.ts';
import { checkDocument, checksumOf } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import { secondOf } from './time.ts';

/** A change by its place: the position of its entry, and which of the entry's changes it is. */
export interface ChangePlace {
  readonly position: number;
  readonly step: number;
}

/** Documents as they were before a change, for collections that ask for it: written with the entry of the change. */
export class Images {
  /** After this many seconds an image goes; none: with its entry. */
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

  /** Entries before that position have gone. */
  forgetBefore(position: number): void {
    this.#connection.run('DELETE FROM images WHERE position < ?', position);
  }

  /** Part of each commit; looks once in a second at most. */
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
