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

  /**
   * Counts a command. Returns true if the connection must handle no further messages in this iteration of the event
   * loop. In that case, calls `goOn` in a later iteration. Connections continue in the order in which they had to stop.
   */
  spend(goOn: () => void): boolean {
    this.#left--;
    this.#schedule();
    if (this.#left > 0) return false;
    this.#waiting.add(goOn);
    return true;
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
