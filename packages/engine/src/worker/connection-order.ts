/**
 * Keeps the requests of a connection in order after an unacknowledged write: a read waits for the write, and a later
 * write waits for the read.
 */
export class ConnectionOrder {
  /** Number of accepted but unfinished writes, by connection. */
  readonly #writing = new Map<number, number>();
  readonly #putOff = new Set<number>();

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

  mustWait(connection: number): boolean {
    return this.#putOff.size > 0 && this.#putOff.has(connection);
  }

  /** Called when a write is finished. */
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
