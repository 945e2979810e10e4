import { nextTurn } from './next-turn.ts';

/** The cost of the work between two pauses. It takes less than about five milliseconds. */
const COST = 1000;

/** Divides long work into parts, between which the event loop serves other requests. */
export class Turns {
  #cost = 0;

  /**
   * Pauses if the work since the last pause has cost enough. Must be called after each piece of work. `cost` is about
   * the number of microseconds that it took, divided by five.
   */
  async take(cost: number): Promise<void> {
    this.#cost += cost;
    if (this.#cost < COST) return;
    this.#cost = 0;
    await nextTurn();
  }
}
