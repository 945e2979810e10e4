/**
 * Maximum number of bytes that the connections of a cluster hold in this thread. These are:
 * - parts of messages, and messages that are being decompressed or wait;
 * - requests that the query thread has not answered;
 * - replies that clients do not read.
 *
 * The limit lets twenty clients send batches of 48 MB at the same time.
 */
const MAX_HELD_BYTES = 1_073_741_824;
/** If a connection holds this number of bytes or more, `heldMuch` is called. */
const MUCH_BYTES = 1_048_576;

/** The reason why a connection was closed: the connections of the cluster held too much memory. */
export class MemoryExceeded extends Error {
  override readonly name = 'MemoryExceeded';

  constructor(bytes: number) {
    super(`the connections of the cluster hold too much memory; this one holds ${bytes} bytes`);
  }
}

/** A connection that can be closed. */
interface Closable {
  closeWith(error: Error): void;
}

/**
 * The memory that the connections of a cluster hold. If it exceeds the limit, the connection that holds most is closed.
 * Without a limit, clients that send half of a message, or read no replies, can use all memory of the host.
 */
export class HeldMemory {
  readonly #bytes = new Map<Closable, number>();
  readonly #forwarded: { readonly bytes: number };
  readonly #heldMuch: () => void;
  #total = 0;

  /**
   * `heldMuch` is called when a connection holds `MUCH_BYTES` or more. `forwarded` contains the bytes of all requests
   * at the query thread. They count as well, but closing a connection does not release them at once.
   */
  constructor(forwarded: { readonly bytes: number }, heldMuch: () => void = () => {}) {
    this.#forwarded = forwarded;
    this.#heldMuch = heldMuch;
  }

  /** Sets the number of bytes that are released if the connection is closed. */
  set(connection: Closable, bytes: number): void {
    const before = this.#bytes.get(connection) ?? 0;
    if (before === bytes) return;
    if (bytes >= MUCH_BYTES) this.#heldMuch();
    this.#total += bytes - before;
    if (bytes === 0) this.#bytes.delete(connection);
    else this.#bytes.set(connection, bytes);
    while (this.#total > 0 && this.#total + this.#forwarded.bytes > MAX_HELD_BYTES) this.#closeLargest();
  }

  #closeLargest(): void {
    let [largest] = this.#bytes;
    for (const entry of this.#bytes) if (entry[1] > (largest?.[1] ?? 0)) largest = entry;
    if (largest === undefined) return;
    const [connection, bytes] = largest;
    this.#bytes.delete(connection);
    this.#total -= bytes;
    connection.closeWith(new MemoryExceeded(bytes));
  }
}
