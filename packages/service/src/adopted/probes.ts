/**
 * Remembers what servers can do. The service does not repeat a probe at every inspection, because a probe may write an
 * error to the log of a server, or open a cursor there.
 */
export class Probes {
  readonly #results = new Map<string, boolean>();
  #version = '';

  /** Forgets all results if the servers have another version than at the last call. */
  at(version: string): this {
    if (version !== this.#version) this.#results.clear();
    this.#version = version;
    return this;
  }

  /** Forgets all results. Must be called when the servers were unreachable, because they may have changed meanwhile. */
  forget(): void {
    this.#results.clear();
  }

  /**
   * Returns the result of a probe, which runs only once. If its result is undefined, returns false, and the
   * next call runs the probe again.
   */
  async result(name: string, probe: () => Promise<boolean | undefined>): Promise<boolean> {
    const known = this.#results.get(name);
    if (known !== undefined) return known;
    const result = await probe();
    if (result !== undefined) this.#results.set(name, result);
    return result ?? false;
  }
}
