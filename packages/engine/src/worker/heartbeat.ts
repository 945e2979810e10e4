/** The indexes of the numbers in the shared memory. */
const BUSY = 0;
const BEATS = 1;

/**
 * Shows the host whether a query thread is stuck. It uses numbers in shared memory, because a stuck thread cannot
 * reply. If the thread is busy and the number of beats does not increase, its statement reaches no interruption
 * check.
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

  /** Runs work that should pass an interruption check within seconds. */
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
