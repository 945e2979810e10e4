import { atOnce } from '../../bson/turns.ts';
import type { Connection } from './connection.ts';

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
  /** Called after each commit of `divide`. */
  onDivided = (): void => {};

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
    this.#connection.run('BEGIN IMMEDIATE');
    this.#mark++;
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
