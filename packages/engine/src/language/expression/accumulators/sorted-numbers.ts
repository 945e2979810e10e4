import { firstIndex } from '@portolan/foundation/first-index';
import { inBatches } from '@portolan/foundation/in-batches';

/** The length at which a block is divided into two. Inserting into a block of this length takes less than 1 µs. */
const LONGEST = 1_024;

/**
 * Numbers in ascending order, for the medians of windows. The numbers are in blocks, so that inserting or removing one
 * of a million numbers moves at most a block. Equal numbers, such as 0 and -0, stay in the order of their insertion.
 */
export class SortedNumbers {
  readonly #blocks: number[][];
  /** The rank of the last number of each block. Undefined after a change. */
  #lastRanks: readonly number[] | undefined;
  length: number;

  /** `sorted` must be in ascending order. */
  constructor(sorted: readonly number[]) {
    this.#blocks = [...inBatches(sorted, LONGEST / 2)];
    this.length = sorted.length;
  }

  /** Inserts a number after all numbers that are equal to it. */
  insert(number: number): void {
    this.length++;
    this.#lastRanks = undefined;
    const after = firstIndex(this.#blocks, (block) => (block.at(-1) as number) > number);
    const at = after < this.#blocks.length ? after : this.#blocks.length - 1;
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push([number]);
      return;
    }
    const place = firstIndex(block, (each) => each > number);
    block.splice(place, 0, number);
    if (block.length >= LONGEST) this.#blocks.splice(at + 1, 0, block.splice(LONGEST / 2));
  }

  /** Removes a number. Of equal numbers, removes the first one. */
  remove(number: number): void {
    const at = firstIndex(this.#blocks, (block) => (block.at(-1) as number) >= number);
    const block = this.#blocks[at];
    const place = block === undefined ? 0 : firstIndex(block, (each) => each >= number);
    if (block?.[place] !== number) return;
    this.length--;
    this.#lastRanks = undefined;
    block.splice(place, 1);
    this.#join(at);
  }

  /** Joins a block with the next one if both are short. Otherwise, the number of blocks would never fall. */
  #join(at: number): void {
    const [block, next] = this.#blocks.slice(at, at + 2);
    if (block?.length === 0) this.#blocks.splice(at, 1);
    else if (block !== undefined && next !== undefined && block.length + next.length <= LONGEST / 2)
      this.#blocks.splice(at, 2, [...block, ...next]);
  }

  /** Returns the number at this rank, which is at least 0. */
  at(rank: number): number | undefined {
    this.#lastRanks ??= this.#ranks();
    const at = firstIndex(this.#lastRanks, (last) => last >= rank);
    return this.#blocks[at]?.at(rank - (this.#lastRanks[at] as number) - 1);
  }

  #ranks(): number[] {
    let last = -1;
    return this.#blocks.map((block) => {
      last += block.length;
      return last;
    });
  }
}
