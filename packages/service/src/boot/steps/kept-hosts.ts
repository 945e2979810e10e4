import { keepHosts, releaseHosts } from '../../resources/engine-hosts/index.ts';
import type { Services } from '../../resources/services.ts';

/** If an instance does not renew its leases for this time, other instances take over its hosts. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

/**
 * The engine hosts for which this instance does the periodic work. Instances divide the hosts by leases in the shared
 * database.
 */
export class KeptHosts {
  readonly #own: string;
  readonly #parts: Pick<Services, 'store' | 'machine'>;
  #kept: ReadonlySet<string> = new Set();
  #renewed = Number.NEGATIVE_INFINITY;

  /** `own` is the id of the instance's own host, whose periodic work the instance always does. */
  constructor(own: string, parts: Pick<Services, 'store' | 'machine'>) {
    this.#own = own;
    this.#parts = parts;
  }

  has(host: string): boolean {
    if (host === this.#own || !this.#parts.store.capabilities.shared) return true;
    return this.#kept.has(host) && this.#age() < LEASE_MS;
  }

  /**
   * Renews the leases if they are due. `hosts` are the engine hosts that this instance can reach, and whose work it
   * can therefore do.
   */
  async renew(hosts: readonly string[]): Promise<void> {
    const { store, machine } = this.#parts;
    if (!store.capabilities.shared || this.#age() < RENEW_MS) return;
    const now = machine.monotonic();
    // Sort the hosts. If all instances lock the rows in the same order, no deadlock can occur.
    const asked = {
      keeper: this.#own,
      hosts: [...new Set([this.#own, ...hosts])].toSorted(),
      lease: LEASE_MS,
    };
    this.#kept = new Set(await store.write((tx) => keepHosts(tx, asked)));
    this.#renewed = now;
  }

  /** Releases the leases, so that other instances need not wait until the leases expire. */
  async release(): Promise<void> {
    const { store } = this.#parts;
    if (this.#kept.size === 0) return;
    this.#kept = new Set();
    await store.write((tx) => releaseHosts(tx, this.#own)).catch(() => {});
  }

  #age(): number {
    return this.#parts.machine.monotonic() - this.#renewed;
  }
}
