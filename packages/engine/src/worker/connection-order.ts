/**
 * A connection sends on after a write that wants no answer. What it reads then comes after that write, and what it
 * writes after such a read.
 */
export class ConnectionOrder {
  /** How many writes of a connection are taken and not done yet. */
  readonly #writing = new Map<number, number>();
  readonly #putOff = new Set<number>();

  writes(connection: number): void {
    this.#writing.set(connection, (this.#writing.get(connection) ?? 0) + 1);
  }

  hasWritten(connection: number): boolean {
    return this.#writing.has(connection);
  }

  /** Nothing more of the connection is taken until its writes are done. */
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
