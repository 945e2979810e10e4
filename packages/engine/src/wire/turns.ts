/**
 * Maximum number of commands of a cluster, such as `hello`, that this thread runs itself in one iteration of the event
 * loop. They take about 3 ms.
 */
const MAX_COMMANDS = 32;

/**
 * Divides the time of a connection thread between its clusters. Otherwise, a client that sends thousands of `hello`
 * commands at once would delay the clients of other clusters.
 */
export class ClusterTurns {
  #left = MAX_COMMANDS;
  #scheduled = false;
  readonly #waiting = new Set<() => void>();

  /** Counts a command. */
  spend(): void {
    this.#left--;
    this.#schedule();
  }

  /** Whether connections must handle no further messages in this iteration of the event loop, and `wait` instead. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /**
   * Calls `goOn` in a later iteration of the event loop. Connections continue in the order in which they had to stop.
   * The returned function cancels the wait.
   */
  wait(goOn: () => void): () => void {
    this.#waiting.add(goOn);
    this.#schedule();
    return () => this.#waiting.delete(goOn);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#left = MAX_COMMANDS;
      for (const goOn of this.#waiting) {
        if (this.#left <= 0) break;
        this.#waiting.delete(goOn);
        goOn();
      }
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}

/** The turn of a connection. While the cluster has had its turn, the messages of the connection wait. */
export class ConnectionTurn {
  readonly #turns: ClusterTurns;
  readonly #goOn: () => void;
  #isWaiting = false;

  constructor(turns: ClusterTurns, goOn: () => void) {
    this.#turns = turns;
    this.#goOn = goOn;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Whether the thread serves other clusters first. If so, calls `goOn` later. */
  mustWait(): boolean {
    if (!this.#turns.isSpent || this.#isWaiting) return this.#isWaiting;
    this.#isWaiting = true;
    this.#turns.wait(() => {
      this.#isWaiting = false;
      this.#goOn();
    });
    return true;
  }
}
