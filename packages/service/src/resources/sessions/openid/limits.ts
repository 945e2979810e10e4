/** How many requests of logins may wait for the identity providers of one organization, and of all organizations. */
const MAX_PER_FEDERATION = 4;
const MAX_IN_ALL = 256;

/**
 * Limits the logins that wait for organizations' identity providers at the same time. An identity provider that does not
 * answer thus holds up only the logins of its own organization.
 */
export class LoginLimits {
  readonly #running = new Map<string, number>();
  #count = 0;

  /** Runs a step of a login; returns undefined if too many run. The provider of the operator has no limit. */
  async run<T>(federationId: string | undefined, step: () => Promise<T>): Promise<T | undefined> {
    if (federationId === undefined) return step();
    const running = this.#running.get(federationId) ?? 0;
    if (running >= MAX_PER_FEDERATION || this.#count >= MAX_IN_ALL) return undefined;
    this.#change(federationId, 1);
    try {
      return await step();
    } finally {
      this.#change(federationId, -1);
    }
  }

  #change(federationId: string, by: number): void {
    this.#count += by;
    const running = (this.#running.get(federationId) ?? 0) + by;
    if (running === 0) this.#running.delete(federationId);
    else this.#running.set(federationId, running);
  }
}
