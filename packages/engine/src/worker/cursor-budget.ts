/** Maximum number of bytes that the open cursors of a cluster hold. A stage of a pipeline holds at most 100 MiB. */
const MAX_OF_CLUSTER = 268_435_456;
/** Maximum number of bytes that the open cursors of all clusters of a thread hold. */
const MAX_OF_THREAD = 1_073_741_824;

/** The cursors of a cluster. */
interface Holder {
  /**
   * Closes the cursor that has been idle longest, if possible a large one. Returns false if no cursor can be closed.
   */
  closeOne(): boolean;
}

/** The memory that cursors hold. If it exceeds a limit, cursors are closed. */
export class CursorBudget {
  readonly #ofCluster: number;
  readonly #ofThread: number;
  readonly #bytes = new Map<Holder, number>();
  /** Number of bytes that the cursors of all clusters hold. */
  bytes = 0;

  constructor({ cluster = MAX_OF_CLUSTER, thread = MAX_OF_THREAD } = {}) {
    this.#ofCluster = cluster;
    this.#ofThread = thread;
  }

  /** Adds to the bytes of a cluster's cursors. */
  add(holder: Holder, bytes: number): void {
    const sum = (this.#bytes.get(holder) ?? 0) + bytes;
    this.bytes += bytes;
    if (sum === 0) this.#bytes.delete(holder);
    else this.#bytes.set(holder, sum);
  }

  /**
   * Closes cursors until the limits are met. They are cursors of the given cluster, or of the cluster whose cursors
   * hold most. Returns false if cursors of `holder` still exceed a limit.
   */
  enforce(holder: Holder): boolean {
    for (;;) {
      const exceeding = this.#exceeding(holder);
      if (exceeding === undefined) return true;
      if (!exceeding.closeOne()) return exceeding !== holder;
    }
  }

  #exceeding(holder: Holder): Holder | undefined {
    if ((this.#bytes.get(holder) ?? 0) > this.#ofCluster) return holder;
    if (this.bytes <= this.#ofThread) return undefined;
    let [largest] = this.#bytes;
    for (const entry of this.#bytes) if (entry[1] > (largest?.[1] ?? 0)) largest = entry;
    return largest?.[0];
  }
}
