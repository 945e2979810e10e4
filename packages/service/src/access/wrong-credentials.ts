import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Store } from '../store/index.ts';
import { networkOf } from './caller-address.ts';
import { accessFaults } from './faults.ts';
import type { RequestFacts } from './request.ts';
import { countWrongAttempt } from './rows.ts';

/** Number of failed attempts that a window allows. */
const WRONG_ATTEMPTS = 5;
const WINDOW_MS = 60_000;

/**
 * The latest possible end of a window, even if the clocks of two instances differ. If a window ends later, a clock was
 * set back after the window was opened.
 */
const FARTHEST_MS = 2 * WINDOW_MS;

/** Maximum number of windows in memory; the least recently used are evicted. */
const MAX_WINDOWS = 10_000;

interface Window {
  attempts: number;
  /** End of the window, in machine time. */
  endsAt: number;
}

/**
 * Counts wrong credentials by name and network (`networkOf`), in windows of one minute. After too many, the caller must
 * wait until the window ends.
 */
export class WrongCredentials {
  readonly #store: Store;
  readonly #machine: MachineClock;
  readonly #windows = new BoundedCache<string, Window>({ entries: MAX_WINDOWS });

  constructor(store: Store, machine: MachineClock) {
    this.#store = store;
    this.#machine = machine;
  }

  /** Returns the number of seconds that the caller must wait; 0 if the caller need not wait. */
  waitFor(name: string, address: string): number {
    const window = this.#windows.get(keyOf(name, address));
    const now = this.#machine.now();
    if (!window || window.attempts < WRONG_ATTEMPTS || isOver(window, now)) return 0;
    return Math.ceil((window.endsAt - now) / 1000);
  }

  async count(name: string, address: string): Promise<void> {
    const now = this.#machine.now();
    const key = keyOf(name, address);
    const kept = this.#windows.get(key);
    const window = kept && !isOver(kept, now) ? kept : { attempts: 0, endsAt: now + WINDOW_MS };
    window.attempts++;
    this.#windows.set(key, window);
    if (!this.#store.capabilities.shared) return;
    // All instances count in one row. Otherwise, an attacker could try more guesses by spreading them over instances.
    const counted = await this.#store.write((tx) =>
      countWrongAttempt(tx, {
        name,
        address: networkOf(address),
        now,
        latest: now + FARTHEST_MS,
        expiresAt: window.endsAt,
      }),
    );
    this.#windows.set(key, { attempts: counted.attempts, endsAt: counted.expires_at });
  }
}

function isOver({ endsAt }: Window, now: number): boolean {
  return endsAt <= now || endsAt > now + FARTHEST_MS;
}

function keyOf(name: string, address: string): string {
  return `${networkOf(address)} ${name}`;
}

/** Creates the fault with the status 429 and the seconds to wait. */
export function tooManyAttempts(request: Pick<RequestFacts, 'target'>, seconds: number) {
  const path = request.target.split('?', 1)[0] ?? '';
  const fault = accessFaults.RATE_LIMITED(path, WRONG_ATTEMPTS, 1);
  return fault.with({ headers: { 'Retry-After': String(seconds) } });
}
