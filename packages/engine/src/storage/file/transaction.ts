import type { Connection } from './connection.ts';

/**
 * The write transaction of one connection, with savepoints inside. A rollback also undoes changes of state in memory,
 * which register how to be undone.
 */
export class Transaction {
  readonly #connection: Connection;
  readonly #undo: Array<() => void> = [];
  #depth = 0;
  #mark = 0;
  /** Called at the start of a savepoint, and before it or the transaction succeeds: deferred writes are made there. */
  onBoundary = (): void => {};

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get active(): boolean {
    return this.#depth > 0;
  }

  /** A number that differs in every transaction and savepoint. */
  get mark(): number {
    return this.#mark;
  }

  /** Registers how to undo a change in memory if the current savepoint or transaction fails. */
  undoing(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Writes everything that `work` writes, or nothing; durable when this returns. `finish` runs before the commit. */
  run<T>(work: () => T, finish: () => void): T {
    this.#connection.run('BEGIN IMMEDIATE');
    try {
      const result = this.#within(() => {
        const made = work();
        this.onBoundary();
        finish();
        return made;
      });
      this.#connection.run('COMMIT');
      this.#undo.length = 0;
      return result;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
      this.#undoTo(0);
      throw error;
    }
  }

  /** A part of the transaction that can fail by itself. */
  savepoint<T>(work: () => T): T {
    const undoLength = this.#undo.length;
    // Outside a transaction a savepoint would begin one, and its release commit it.
    if (!this.#connection.inTransaction) throw new Error('the transaction was ended by an earlier error');
    this.onBoundary();
    this.#connection.run('SAVEPOINT command');
    try {
      const result = this.#within(work);
      this.onBoundary();
      this.#connection.run('RELEASE command');
      return result;
    } catch (error) {
      if (this.#connection.inTransaction) {
        this.#connection.run('ROLLBACK TO command');
        this.#connection.run('RELEASE command');
      }
      this.#undoTo(undoLength);
      throw error;
    }
  }

  #within<T>(work: () => T): T {
    this.#depth++;
    this.#mark++;
    try {
      return work();
    } finally {
      this.#depth--;
      this.#mark++;
    }
  }

  #undoTo(length: number): void {
    while (this.#undo.length > length) this.#undo.pop()?.();
  }
}
