/**
 * Maximum number of bytes that the connections of a cluster hold in this thread: parts of messages, requests that wait
 * for their reply, and replies that clients do not read. Twenty clients can send batches of 48 MB at the same time.
 */
const MAX_HELD_BYTES = 1_073_741_824;
/** Connections that hold less are not counted, so that short messages cost no time. */
const COUNTED_BYTES = 131_072;

/** The reason why a connection was closed: the connections of the cluster held too much memory. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';

  constructor(bytes: number) {
    super(`the connections of the cluster hold too much memory; this one holds ${bytes} bytes`);
  }
}

/** A connection, as far as it can be closed. */
interface Closable {
  closeWith(error: Error): void;
}

/**
 * The memory that the connections of a cluster hold. If it exceeds the limit, the connection that holds most is closed.
 * Without a limit, clients that send half of a message, or read no replies, can use all memory of the host.
 */
export class HeldMemory {
  readonly #bytes = new Map<Closable, number>();
  #total = 0;

  /** Sets the number of bytes that a connection holds. */
  set(connection: Closable, bytes: number): void {
    const before = this.#bytes.get(connection) ?? 0;
    const after = bytes < COUNTED_BYTES ? 0 : bytes;
    if (before === after) return;
    this.#total += after - before;
    if (after === 0) this.#bytes.delete(connection);
    else this.#bytes.set(connection, after);
    while (this.#total > MAX_HELD_BYTES) this.#closeLargest();
  }

  #closeLargest(): void {
    const [largest] = [...this.#bytes].sort(([, a], [, b]) => b - a);
    if (largest === undefined) return;
    const [connection, bytes] = largest;
    this.#bytes.delete(connection);
    this.#total -= bytes;
    connection.closeWith(new MemoryExceeded(bytes));
  }
}
