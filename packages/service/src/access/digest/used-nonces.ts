import type { MachineClock } from '@portolan/foundation/clock';
import { CountWindow } from './count-window.ts';
import { NONCE_LIFETIME_MS } from './nonces.ts';

interface Generation {
  readonly windows: Map<string, CountWindow>;
  /** When its youngest nonce was made. */
  youngest: number;
}

const newGeneration = (): Generation => ({ windows: new Map(), youngest: Number.NEGATIVE_INFINITY });

/**
 * The nonces in use in a process that alone knows them. Times are monotonic: the time of day may be set back. They are
 * kept in two generations of one lifetime each, so that forgetting costs nothing per nonce. Only right credentials get
 * this far, so a stranger cannot fill it.
 */
export class UsedNonces {
  readonly #machine: MachineClock;
  #current = newGeneration();
  #previous = newGeneration();
  #turned: number;
  /** Nonces made up to here are no longer known. */
  #forgotten = Number.NEGATIVE_INFINITY;

  constructor(machine: MachineClock) {
    this.#machine = machine;
    this.#turned = machine.monotonic();
  }

  /** False when the count was used with this nonce, or the nonce is too old to tell. */
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
