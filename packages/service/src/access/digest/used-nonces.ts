import type { MachineClock } from '@portolan/foundation/clock';
import { CountWindow } from './count-window.ts';
import { NONCE_LIFETIME_MS } from './nonces.ts';

interface NonceGeneration {
  readonly windows: Map<string, CountWindow>;
  /** Creation time of the newest nonce in this generation. */
  youngest: number;
}

const newGeneration = (): NonceGeneration => ({ windows: new Map(), youngest: Number.NEGATIVE_INFINITY });

/**
 * The used nonces of a single process, by monotonic time, since the time of day may be set back. Nonces are kept in
 * two generations, each for the lifetime of a nonce. When a generation is dropped, all its nonces have expired. Only
 * requests with correct credentials add nonces, so that outsiders cannot fill the memory.
 */
export class UsedNonces {
  readonly #machine: MachineClock;
  #current = newGeneration();
  #previous = newGeneration();
  #turned: number;
  /** Nonces created up to this time are forgotten. */
  #forgotten = Number.NEGATIVE_INFINITY;

  constructor(machine: MachineClock) {
    this.#machine = machine;
    this.#turned = machine.monotonic();
  }

  /**
   * Records the use of a nonce. Returns false if the nonce was used with this count before, or if it is so old that its
   * uses are forgotten.
   */
  use(nonce: string, madeAt: number, count: number): boolean {
    this.#turn();
    if (madeAt <= this.#forgotten) return false;
    let window = this.#current.windows.get(nonce) ?? this.#previous.windows.get(nonce);
    if (!window) {
      window = new CountWindow();
      this.#current.windows.set(nonce, window);
      this.#current.youngest = Math.max(this.#current.youngest, madeAt);
    }
    return window.use(count);
  }

  #turn(): void {
    const now = this.#machine.monotonic();
    if (now - this.#turned < NONCE_LIFETIME_MS) return;
    this.#turned = now;
    this.#forgotten = Math.max(this.#forgotten, this.#previous.youngest);
    this.#previous = this.#current;
    this.#current = newGeneration();
  }
}
