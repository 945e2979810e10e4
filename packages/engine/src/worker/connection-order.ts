/**
 * Keeps the order of a connection's requests after an unacknowledged write: a later read runs after that write, and a
 * later write after such a read.
 */
export class ConnectionOrder {
  /** The number of accepted writes of a connection that are not done. */
  readonly #writing = new Map<number, number>();
  readonly #putOff = new Set<number>();

  writes(connection: number): void {
    this.#writing.set(connection, (this.#writing.get(connection) ?? 0) + 1);
  }

  hasWritten(connection: number): boolean {
    return this.#writing.has(connection);
  }

  /** Defers all further requests of the connection until its writes are done. */
  putOff(connection: number): void {
    this.#putOff.add(connection);
  }

  mustWait(connection: number): boolean {
    return this.#putOff.size > 0 && this.#putOff.has(connection);
  }

  /** A write is done. */
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
