import { type AbstractCursor, BSON, type Document } from 'mongodb';

/** How many items of a list the service reads, and how many bytes all of them have together. */
const MAX_ITEMS = 100_000;
const MAX_BYTES = 64 * 1024 ** 2;

/**
 * Reads the lists of collections, indexes and sharded collections of servers that the service does not run. The servers
 * could return an endless list, so their common size is limited.
 */
export class ListReader {
  #items = 0;
  #bytes = 0;

  /** Returns all items of a list. Throws if this list, and those that were read before, are too long. */
  async all<T extends Document>(what: string, cursor: AbstractCursor<T>): Promise<T[]> {
    const found: T[] = [];
    try {
      while (await cursor.hasNext())
        for (const item of cursor.readBufferedDocuments()) {
          this.#add(what, BSON.calculateObjectSize(item));
          found.push(item);
        }
    } finally {
      await cursor.close();
    }
    return found;
  }

  #add(what: string, bytes: number): void {
    this.#items++;
    this.#bytes += bytes;
    if (this.#items > MAX_ITEMS)
      throw new Error(`the servers list more than ${MAX_ITEMS} ${what}, and the service reads no more`);
    if (this.#bytes > MAX_BYTES)
      throw new Error(`the servers describe ${what} in more than 64 MiB, and the service reads no more`);
  }
}

/** Returns all items of a single list. Throws if it is too long. */
export const wholeList = <T extends Document>(what: string, cursor: AbstractCursor<T>): Promise<T[]> =>
  new ListReader().all(what, cursor);
