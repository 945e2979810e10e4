/** The indexes of the numbers in the shared memory. */
const BUSY = 0;
const BEATS = 1;
/** The number of bytes of these numbers. After them, the shared memory contains a text and its length. */
const NUMBERS_BYTES = 8;
/** Maximum length of the text in UTF-16 code units. */
const MAX_TEXT = 400;

/**
 * Shows the host whether a query thread is stuck. It uses numbers in shared memory, because a stuck thread cannot
 * reply. If the thread is busy and the number of beats does not increase, its statement reaches no interruption
 * check.
 */
export class Heartbeat {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  /** The length of the description of the running statement, and then its code units. */
  readonly #text: Uint16Array;

  constructor(memory = new SharedArrayBuffer(NUMBERS_BYTES + 2 + 2 * MAX_TEXT)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, NUMBERS_BYTES / 4);
    this.#text = new Uint16Array(memory, NUMBERS_BYTES);
  }

  /** A description of the running statement. Empty if no statement runs. */
  get statement(): string {
    const [length = 0] = this.#text;
    return String.fromCharCode(...this.#text.subarray(1, 1 + length));
  }

  set statement(text: string) {
    const length = Math.min(text.length, MAX_TEXT);
    for (let i = 0; i < length; i++) this.#text[i + 1] = text.charCodeAt(i);
    this.#text[0] = length;
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
