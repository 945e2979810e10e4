import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { Store } from '../store/store.ts';
import { type Held, renewLeases } from './rows.ts';

/** The reason for aborting a step whose lease has expired. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the task has expired');
    this.name = 'LeaseLost';
  }
}

export interface LeaseKeeperOptions {
  readonly store: Store;
  readonly machine: MachineClock;
  readonly log: Log;
  /** Duration of a lease in machine milliseconds. */
  readonly leaseTime: number;
}

interface Kept {
  readonly held: Held;
  readonly abort: AbortController;
}

/** Renews the leases of running tasks three times during each lease, and aborts tasks whose lease is lost. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #renewing: Repetition;
  #renewed = 0;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#renewing = repeat({
      machine: options.machine,
      run: () => this.#renew(),
      interval: () => (this.#kept.size > 0 ? this.#interval : Number.POSITIVE_INFINITY),
      onError: (error) => this.#failed(error),
    });
  }

  keep(held: Held, abort: AbortController): void {
    if (this.#kept.size === 0) this.#renewed = this.#options.machine.monotonic();
    this.#kept.set(held.lease, { held, abort });
    this.#renewing.wake(this.#interval);
  }

  forget(held: Held): void {
    this.#kept.delete(held.lease);
  }

  stop(): Promise<void> {
    return this.#renewing.stop();
  }

  held(): Held[] {
    return [...this.#kept.values()].map(({ held }) => held);
  }

  get #interval(): number {
    return this.#options.leaseTime / 3;
  }

  #failed(error: Error): void {
    const { machine, leaseTime, log } = this.#options;
    log.warn({ reason: error.message }, 'leases of running tasks could not be renewed');
    if (machine.monotonic() - this.#renewed >= leaseTime) this.#lose([...this.#kept.values()]);
  }

  async #renew(): Promise<void> {
    const { store, machine, leaseTime } = this.#options;
    const renewed = [...this.#kept.values()];
    if (renewed.length === 0) return;
    const began = machine.monotonic();
    const valid = await store.write((tx) =>
      renewLeases(
        tx,
        renewed.map(({ held }) => held),
        leaseTime,
      ),
    );
    this.#renewed = began;
    // A task that ended in the meantime has not lost its lease, although the lease was not renewed.
    this.#lose(renewed.filter(({ held }) => !valid.has(held.lease) && this.#kept.has(held.lease)));
  }

  #lose(lost: readonly Kept[]): void {
    for (const { held, abort } of lost) {
      this.#kept.delete(held.lease);
      abort.abort(new LeaseLost());
    }
  }
}
