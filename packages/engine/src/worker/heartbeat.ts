/** Positions of the numbers in the shared memory. */
const BUSY = 0;
const BEATS = 1;

/**
 * Shows the host whether a worker is stuck, by numbers in shared memory, so that neither has to answer. A busy worker
 * whose beats do not increase is in a statement that passes no check point.
 */
export class Heartbeat {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;

  constructor(memory = new SharedArrayBuffer(8)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
  }

  get busy(): boolean {
    return Atomics.load(this.#numbers, BUSY) === 1;
  }

  get beats(): number {
    return Atomics.load(this.#numbers, BEATS);
  }

  beat(): void {
    Atomics.add(this.#numbers, BEATS, 1);
  }

  /** Runs work that should pass a check point within seconds. */
  during(work: () => void): void {
    this.beat();
    Atomics.store(this.#numbers, BUSY, 1);
    try {
      work();
    } finally {
      Atomics.store(this.#numbers, BUSY, 0);
    }
  }
}
