import { networkOf } from '../../access/index.ts';

/** Number of handshakes in one turn of the event loop. They take about 2 ms. */
const PER_TURN = 4;

/**
 * Begins TLS handshakes in turns, because several hundred at the same time would take a tenth of a second. Networks take
 * turns, too. The number of handshakes is limited instead of their time, because Node.js processes the first message of a
 * client only after the function that begins the handshake has returned.
 */
export class HandshakeTurns {
  readonly #waiting = new Map<string, Array<() => void>>();
  #isScheduled = false;

  /** Calls `begin` in a later turn of the event loop. */
  add(address: string, begin: () => void): void {
    const network = networkOf(address);
    const own = this.#waiting.get(network);
    if (own === undefined) this.#waiting.set(network, [begin]);
    else own.push(begin);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      for (let left = PER_TURN; left > 0; left--) this.#beginNext();
      this.#schedule();
    });
  }

  #beginNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [network, own] = next;
    this.#waiting.delete(network);
    const begin = own.shift();
    if (own.length > 0) this.#waiting.set(network, own);
    begin?.();
  }
}
