import type { ControlMessage } from './protocol.ts';

type OpenMessage = Extract<ControlMessage, { kind: 'open' }>;

/**
 * Opens at most one cluster in each iteration of the event loop. Opening one takes about 10 ms. When a host starts, it
 * opens hundreds at once, and the messages of a port are read in one iteration, so that the clusters that are open
 * already would wait for all others.
 */
export class OpeningTurns {
  readonly #open: (message: OpenMessage) => void;
  readonly #waiting = new Map<string, OpenMessage>();
  #scheduled = false;

  constructor(open: (message: OpenMessage) => void) {
    this.#open = open;
  }

  /** Opens a cluster now, or in a later iteration if one was opened in this one. */
  add(message: OpenMessage): void {
    if (this.#scheduled) {
      this.#waiting.set(message.clusterId, message);
      return;
    }
    this.#schedule();
    this.#open(message);
  }

  /** Opens the next cluster that waits. Called in the middle of long statements, when the event loop does not run. */
  next(): void {
    const [message] = this.#waiting.values();
    if (message !== undefined) this.finish(message.clusterId);
  }

  /** Opens a cluster that waits, because other messages about it follow. */
  finish(clusterId: string): void {
    const message = this.#waiting.get(clusterId);
    if (message === undefined) return;
    this.#waiting.delete(clusterId);
    this.#open(message);
  }

  #schedule(): void {
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = this.#waiting.size > 0;
      if (!this.#scheduled) return;
      this.#schedule();
      this.next();
    });
  }
}
