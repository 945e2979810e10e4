import { nextTurn } from './next-turn.ts';

/**
 * The cost after which work pauses, in units of about 5 µs. So the work between two pauses takes at most about five
 * milliseconds.
 */
const COST = 1000;

/** Divides long work into parts, between which the event loop serves other requests. */
export class Turns {
  #cost = 0;

  /**
   * Pauses if the work since the last pause has cost enough. Must be called after each piece of work. `cost` is the
   * time that the piece took, in units of about 5 µs.
   */
  async take(cost: number): Promise<void> {
    this.#cost += cost;
    if (this.#cost < COST) return;
    this.#cost = 0;
    await nextTurn();
  }
}
