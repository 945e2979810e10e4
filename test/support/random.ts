/** A pseudo-random generator. The same seed yields the same numbers (mulberry32). */
export interface Dice {
  /** Returns an integer from 0 to `limit - 1`. */
  below(limit: number): number;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}
