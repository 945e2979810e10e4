import type { PortRange } from '../control/protocol.ts';

/** The ports that are reserved for the deployments of this host, including paused deployments. */
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
   * Reserves and returns the first port for which `bind` returns true. `bind` returns false if another program uses the
   * port. `bind` throws if every other port would fail as well.
   */
  async take(bind: (port: number) => Promise<boolean>): Promise<number> {
    for (const port of this.#candidates()) {
      if (this.#held.has(port)) continue;
      // Reserve the port before it is opened, so that no other deployment tries the same port.
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
