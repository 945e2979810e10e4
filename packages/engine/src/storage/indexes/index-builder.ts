import { checking } from '../../language/expression/entries.ts';
import type { Connection } from '../file/connection.ts';
import type { Transaction } from '../file/transaction.ts';
import type { DocumentKeys, IndexDefinition } from '../model/index-definition.ts';
import type { Progress } from '../model/running-statement.ts';
import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';
import { documentKeys } from './document-keys.ts';
import { addKey } from './index-table.ts';

/** Number of keys that are sorted at a time. Inserting keys in order is four times as fast. */
const BUILD_KEYS = 200_000;
/** Number of bytes of keys after which they are written. */
const BUILD_BYTES = 67_108_864;
/** Number of bytes of keys that fill a page. */
const PAGE_BYTES = 6_000;
/** Number of changed pages after which the transaction is divided. A COMMIT of 32 MiB takes about 20 ms. */
const PIECE_PAGES = 4_000;

/** What a build does with the keys of a document, apart from writing them. */
export interface BuildSteps {
  /** Checks the keys of a document, and records which values they contain. */
  accept(made: DocumentKeys): void;
  /** Throws if another document has one of the keys. Absent if documents may share keys. */
  rejectDuplicates?(keys: readonly Uint8Array[], record: StoredRecord): void;
}

/** Writes the keys of all documents into the table of an index. */
export class IndexBuilder {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #index: IndexDefinition;
  /** True if the transaction may be divided, because the index has no row yet. */
  readonly #divides: boolean;
  #keys: Array<readonly [key: Uint8Array, rid: number]> = [];
  /** Number of bytes of `#keys`. */
  #waiting = 0;
  /** Number of bytes of all keys in the table. */
  #written = 0;
  /** The keys that were written since the transaction was divided. */
  #piece = { bytes: 0, places: 0 };

  constructor(connection: Connection, transaction: Transaction, index: IndexDefinition, divides: boolean) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#index = index;
    this.#divides = divides && connection.onLeftover !== undefined;
  }

  build(records: RecordStream, progress: Progress, { accept, rejectDuplicates }: BuildSteps): void {
    const { running } = this.#connection;
    for (let record = records.next(); record !== undefined; record = records.next(), progress.done++) {
      const made = documentKeys(this.#index, record.doc, running);
      accept(made);
      rejectDuplicates?.(made.keys, record);
      for (const key of made.keys) {
        running.check();
        if (rejectDuplicates !== undefined) this.#write(key, record.rid, 1);
        else {
          this.#keys.push([key, record.rid]);
          this.#waiting += key.length;
        }
      }
      if (this.#keys.length >= BUILD_KEYS || this.#waiting >= BUILD_BYTES) this.#flush();
    }
    this.#flush();
  }

  #flush(): void {
    const { running } = this.#connection;
    const order = checking(running, Buffer.compare);
    this.#keys.sort(([a], [b]) => order(a, b));
    // Sorted keys change each page at most once.
    const places = Math.min(1, this.#pages / this.#keys.length);
    for (const [key, rid] of this.#keys) {
      running.check();
      this.#write(key, rid, places);
    }
    this.#keys = [];
    this.#waiting = 0;
  }

  /** Estimated number of pages of the table. */
  get #pages(): number {
    return this.#written / PAGE_BYTES;
  }

  /** Writes a key. `places` is the number of existing pages that this changes on average. */
  #write(key: Uint8Array, rid: number, places: number): void {
    addKey(this.#connection, this.#index.table, key, rid);
    this.#written += key.length;
    const piece = this.#piece;
    piece.bytes += key.length;
    piece.places += places;
    if (!this.#divides || Math.min(piece.places, this.#pages) + piece.bytes / PAGE_BYTES < PIECE_PAGES)
      return;
    this.#piece = { bytes: 0, places: 0 };
    this.#transaction.divide();
  }
}
