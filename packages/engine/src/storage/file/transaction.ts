import { atOnce, copied } from '../../bson/turns.ts';
import type { Connection } from './connection.ts';

/**
 * After this number of bytes, a write that may be divided is committed, and continues in another transaction. A COMMIT
 * of 16 MiB takes about 20 ms.
 */
const PART_BYTES = 16 << 20;

/**
 * The write transaction of a connection, which may contain savepoints. A rollback also calls the registered
 * functions that revert changes in memory.
 */
export class Transaction {
  readonly #connection: Connection;
  readonly #undo: Array<() => void> = [];
  #depth = 0;
  #mark = 0;
  /**
   * Called at the start of a savepoint, and before a savepoint or the transaction ends successfully. The
   * callee makes deferred writes.
   */
  onBoundary = (): void => {};
  /** Called after each commit of a part of a transaction. */
  onDivided = (): void => {};
  /** Called before `commitPart` commits. Returns false if the write must not be divided yet. May throw. */
  mayDivide = (_bytes: number): boolean => true;
  #finish = (): void => {};

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get active(): boolean {
    return this.#depth > 0;
  }

  /** A number that is different in every transaction and savepoint. */
  get mark(): number {
    return this.#mark;
  }

  /** Registers a function that reverts a change in memory if the current savepoint or transaction is rolled back. */
  undoing(undo: () => void): void {
    this.#undo.push(undo);
  }

  /**
   * Runs `work` in a transaction, which is durable when the method returns. `finish` runs before the commit.
   * If either function throws, everything is rolled back.
   */
  run<T>(work: () => T, finish: () => void): T {
    this.#begin();
    this.#finish = finish;
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
      // A full disk may have rolled back the transaction already.
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
      this.#undoTo(0);
      throw error;
    }
  }

  /**
   * Commits what the transaction has done so far, and begins another one, because a COMMIT of many pages takes long. Does
   * nothing within a savepoint, or if changes in memory could still have to be reverted.
   */
  divide(): void {
    if (this.#depth !== 1 || this.#undo.length > 0) return;
    this.#connection.run('COMMIT');
    this.onDivided();
    this.#begin();
    this.#mark++;
  }

  #begin(): void {
    this.#connection.run('BEGIN IMMEDIATE');
    this.#connection.written = 0;
  }

  /**
   * Commits the changes so far if they are large, and begins another transaction: SQLite computes the checksums of a
   * transaction in one call, which takes a second for 600 MB. To be called between two changes that need not be atomic,
   * such as those of two documents of an update. Does nothing within a savepoint.
   */
  commitPart(): void {
    const bytes = this.#connection.written;
    if (bytes < PART_BYTES || this.#depth !== 1 || !this.mayDivide(bytes)) return;
    this.onBoundary();
    this.#finish();
    copied(bytes);
    this.#connection.run('COMMIT');
    this.#undo.length = 0;
    this.onDivided();
    this.#begin();
    this.#mark++;
    copied(bytes);
  }

  /** Runs a part of the transaction that can be rolled back separately. */
  savepoint<T>(work: () => T): T {
    const undoLength = this.#undo.length;
    // Require a transaction: without one, the savepoint would begin a transaction, and its release would commit it.
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
    atOnce(() => {
      while (this.#undo.length > length) this.#undo.pop()?.();
    });
  }
}
