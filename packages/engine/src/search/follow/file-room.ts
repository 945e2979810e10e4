import type { Connection } from '../../storage/file/connection.ts';

/** Updates resume when the contents of the file take less than this share of the limit. */
const RESUME = 0.94;

/** Watches the size of a search file. Pages that are free do not count, because SQLite uses them again. */
export class FileRoom {
  readonly #file: Connection;
  /** Maximum size in bytes. */
  most = Number.POSITIVE_INFINITY;
  #isFull = false;

  constructor(file: Connection) {
    this.#file = file;
  }

  /** Returns whether the file is full. After it was full, it counts as full until it has clearly more space. */
  isFull(): boolean {
    if (this.most === Number.POSITIVE_INFINITY) return false;
    const number = (name: string) => this.#file.get<[number]>(`PRAGMA ${name}`)?.[0] ?? 0;
    const used = (number('page_count') - number('freelist_count')) * number('page_size');
    this.#isFull = used > (this.#isFull ? this.most * RESUME : this.most);
    return this.#isFull;
  }
}
