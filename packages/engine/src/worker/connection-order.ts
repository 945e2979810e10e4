import type { Operation } from './operations.ts';

/**
 * Keeps the requests of a connection in order after an unacknowledged write. A read waits for the write, and a later
 * write waits for the read. Later requests also wait while a large request is being parsed.
 */
export class ConnectionOrder {
  /** Number of accepted but unfinished writes, by connection. */
  readonly #writing = new Map<number, number>();
  readonly #putOff = new Set<number>();

  /**
   * For each connection, the large request that is being parsed or that waits to start. If parsing is postponed, it
   * begins anew later.
   */
  readonly #parsing = new Map<number, Operation>();

  /** Defers later requests of the connection until the operation is parsed. */
  parses(operation: Operation): void {
    this.#parsing.set(operation.caller.connectionId, operation);
  }

  /** Allows later requests of the connection. Called when the operation starts after its parsing, waits, or has failed. */
  parsed(operation: Operation): void {
    const { connectionId } = operation.caller;
    if (this.#parsing.get(connectionId) === operation) this.#parsing.delete(connectionId);
  }

  writes(connection: number): void {
    this.#writing.set(connection, (this.#writing.get(connection) ?? 0) + 1);
  }

  hasWritten(connection: number): boolean {
    return this.#writing.has(connection);
  }

  /** Defers all further requests of the connection until its writes are finished. */
  putOff(connection: number): void {
    this.#putOff.add(connection);
  }

  mustWait(operation: Operation): boolean {
    // An `ordered` operation is a write that runs again. It was accepted before all requests that wait.
    if (operation.ordered || (this.#putOff.size === 0 && this.#parsing.size === 0)) return false;
    const { connectionId } = operation.caller;
    const parsing = this.#parsing.get(connectionId) ?? operation;
    return parsing !== operation || this.#putOff.has(connectionId);
  }

  /** Records that a write is finished. After the last write of the connection, its deferred requests no longer wait. */
  done(connection: number): void {
    const left = (this.#writing.get(connection) ?? 0) - 1;
    if (left > 0) {
      this.#writing.set(connection, left);
      return;
    }
    this.#writing.delete(connection);
    this.#putOff.delete(connection);
  }
}
