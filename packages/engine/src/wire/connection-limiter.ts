import type { Socket } from 'node:net';

/** Files of one cluster besides connections: databases, logs, databases lent to statements, and listening ports. */
const FILES_PER_CLUSTER = 16;

/** Limits the connections of all clusters of a thread, so that the process keeps file descriptors for its databases. */
export class ConnectionLimiter {
  readonly #most: number;
  readonly #clusters: () => number;
  readonly #onFull: (open: number) => void;
  #open = 0;
  #full = false;

  /** `onFull` is called once each time the limit is reached. */
  constructor(most: number, clusters: () => number, onFull: (open: number) => void = () => {}) {
    this.#most = most;
    this.#clusters = clusters;
    this.#onFull = onFull;
  }

  /** Counts the connection until it closes; returns false if the limit is reached. */
  acquire(socket: Socket): boolean {
    // A quarter stays for connections, however many clusters there are.
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
