/** Counts requests in windows of one minute (contract 8). */
export interface RateCounter {
  /**
   * Takes one of `limit` requests of `key` in the window. A request that finds none left is not counted.
   * `remaining` is negative then.
   */
  take(key: string, window: number, limit: number): Promise<number>;
}

export const RATE_LIMIT = 100;
const WINDOW_MS = 60_000;

/** The number of the window at a machine time in milliseconds, of day or monotonic, and the seconds until the next one begins. */
export function windowAt(now: number): { window: number; secondsLeft: number } {
  const window = Math.floor(now / WINDOW_MS);
  return { window, secondsLeft: Math.ceil(((window + 1) * WINDOW_MS - now) / 1000) };
}

/** For one instance alone. */
export function memoryRates(): RateCounter {
  let current = 0;
  let taken = new Map<string, number>();
  return {
    async take(key, window, limit) {
      if (window !== current) {
        current = window;
        taken = new Map();
      }
      const count = (taken.get(key) ?? 0) + 1;
      if (count <= limit) taken.set(key, count);
      return limit - count;
    },
  };
}
