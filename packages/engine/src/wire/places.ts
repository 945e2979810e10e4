import type { Socket } from 'node:net';

/** Databases, their logs, what they lend to statements, and the ports of their members. */
const FILES_PER_CLUSTER = 16;

/**
 * How many connections all clusters of a thread have together: accepting ends before the process has no file left to
 * open, and its databases go on.
 */
export class Places {
  readonly #most: number;
  readonly #clusters: () => number;
  readonly #onFull: (open: number) => void;
  #open = 0;
  #full = false;

  /** `onFull` is told once, until there is a place again. */
  constructor(most: number, clusters: () => number, onFull: (open: number) => void = () => {}) {
    this.#most = most;
    this.#clusters = clusters;
    this.#onFull = onFull;
  }

  /** Takes a place until the connection has closed; false, and nothing is taken, where there is none. */
  take(socket: Socket): boolean {
    // However many clusters there are, some of their drivers are served.
    const most = Math.max(this.#most - FILES_PER_CLUSTER * this.#clusters(), Math.ceil(this.#most / 4));
    if (this.#open >= most) {
      if (!this.#full) this.#onFull(this.#open);
      this.#full = true;
      return false;
    }
    this.#open++;
    socket.once('close', () => {
      this.#open--;
      this.#full = false;
    });
    return true;
  }
}
