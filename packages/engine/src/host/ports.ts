import type { PortRange } from '../control/protocol.ts';

/** Which ports the deployments of this host hold, the paused ones included. */
export class Ports {
  readonly #range: PortRange;
  readonly #held = new Set<number>();

  constructor(range: PortRange) {
    this.#range = range;
  }

  hold(port: number): void {
    this.#held.add(port);
  }

  release(port: number): void {
    this.#held.delete(port);
  }

  /**
   * Holds and answers the first port that `bind` takes. Binding is the check: `bind` answers false when another
   * program has the port, and throws when trying others makes no sense.
   */
  async take(bind: (port: number) => Promise<boolean>): Promise<number> {
    for (const port of this.#candidates()) {
      if (this.#held.has(port)) continue;
      // Held before it is bound, so that two deployments that start together do not try the same one.
      this.#held.add(port);
      let bound = false;
      try {
        bound = await bind(port);
      } finally {
        if (!bound) this.#held.delete(port);
      }
      if (bound) return port;
    }
    throw new Error(`no port is free from ${this.#range.from} to ${this.#range.to}`);
  }

  *#candidates(): Generator<number> {
    const { from, to, first } = this.#range;
    for (let port = first; port <= to; port++) yield port;
    for (let port = from; port < first; port++) yield port;
  }
}
