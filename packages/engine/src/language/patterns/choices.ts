/** Number of numbers in the first block. Most texts need no further one. */
const FIRST = 3 * 64;
/** Number of numbers in each further block. */
const BLOCK = 3 * 16_384;

/**
 * The stack of a machine, in groups of three numbers. It grows by blocks: a single array would be copied as a whole
 * when it grows, which takes 80 ms for a hundred megabytes.
 */
export class Choices {
  readonly #blocks = [new Int32Array(FIRST)];
  #number = 0;
  #block = this.#blocks[0] as Int32Array;
  /** Number of numbers in the current block. */
  #used = 0;
  /** Number of numbers in all blocks. */
  #length = 0;
  /** The group that `pop` has removed. */
  first = 0;
  second = 0;
  third = 0;

  get length(): number {
    return this.#length;
  }

  push(first: number, second: number, third: number): void {
    if (this.#used === this.#block.length) this.#enter(this.#number + 1, 0);
    this.#block[this.#used] = first;
    this.#block[this.#used + 1] = second;
    this.#block[this.#used + 2] = third;
    this.#used += 3;
    this.#length += 3;
  }

  /** Removes the last group, and stores it in `first`, `second` and `third`. */
  pop(): void {
    if (this.#used === 0) this.#enter(this.#number - 1, Number.POSITIVE_INFINITY);
    this.#used -= 3;
    this.#length -= 3;
    this.first = this.#block[this.#used] as number;
    this.second = this.#block[this.#used + 1] as number;
    this.third = this.#block[this.#used + 2] as number;
  }

  clear(): void {
    this.#enter(0, 0);
    this.#length = 0;
  }

  #enter(number: number, used: number): void {
    this.#number = number;
    this.#block = this.#blocks[number] ??= new Int32Array(BLOCK);
    this.#used = Math.min(used, this.#block.length);
  }
}
