import type { Socket } from 'node:net';

/**
 * Number of files that a cluster may open in addition to its connections: databases, logs, additional database
 * connections of statements, and listening ports.
 */
const FILES_PER_CLUSTER = 16;

/** Limits the connections of all clusters in a thread, so that enough file descriptors remain for databases. */
export class ConnectionLimiter {
  readonly #most: number;
  readonly #clusters: () => number;
  readonly #onFull: (open: number) => void;
  #open = 0;
  #full = false;

  /** Calls `onFull` each time the limit is reached. */
  constructor(most: number, clusters: () => number, onFull: (open: number) => void = () => {}) {
    this.#most = most;
    this.#clusters = clusters;
    this.#onFull = onFull;
  }

  /** Counts a connection until it closes. Returns false if the limit is reached. */
  acquire(socket: Socket): boolean {
    // Even with many clusters, a quarter of the limit remains for connections.
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
