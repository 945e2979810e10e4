import type { CollectionRow, Counts } from '../collection/collection.ts';
import type { Connection } from '../file/connection.ts';
import { tableName } from '../file/table-name.ts';
import type { Transaction } from '../file/transaction.ts';
import { EntryTable } from './entry-table.ts';

/**
 * After this number of entries, the row of the oplog in the table of collections is updated. Updating it in every
 * commit would cost a write. When the oplog is opened, the entries since the last update are counted, which takes a few
 * milliseconds (docs/decisions/0070).
 */
const UNCOUNTED = 4_096;

/** The counts in the row of the oplog. */
export class StoredCounts {
  readonly #transaction: Transaction;
  #counts: Counts;

  constructor(row: CollectionRow, transaction: Transaction) {
    this.#counts = row;
    this.#transaction = transaction;
  }

  get current(): Counts {
    return this.#counts;
  }

  /**
   * Must run inside `write`. Returns true if `counts` must be stored: if no counts are stored yet, if they
   * have changed much, or if `trimmed`.
   */
  renew(counts: Counts, trimmed: boolean): boolean {
    const former = this.#counts;
    const known = former.counted != null;
    if (known && !trimmed && counts.documents - former.documents < UNCOUNTED) return false;
    this.#transaction.undoing(() => {
      this.#counts = former;
    });
    this.#counts = counts;
    return true;
  }
}

/** Returns the row of the oplog with counts that include the entries written after the row. */
export function withUncounted(row: CollectionRow, connection: Connection): CollectionRow {
  if (row.counted == null) return row;
  const { entries, bytes } = new EntryTable(connection, tableName(row.number)).sizeAfter(row.counted);
  return { ...row, documents: row.documents + entries, bytes: row.bytes + bytes };
}
