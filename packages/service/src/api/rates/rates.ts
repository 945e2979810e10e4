/** Counts requests in windows of one minute (docs/contract/api.md 8). */
export interface RateCounter {
  /**
   * Counts one request of `key` in the window, unless `limit` requests were counted already. Returns how many
   * requests remain. A negative number means that the request exceeded the limit and was not counted.
   */
  take(key: string, window: number, limit: number): Promise<number>;
}

export const RATE_LIMIT = 100;
const WINDOW_MS = 60_000;

/**
 * Returns the number of the window that contains a machine time in milliseconds, and the seconds until the next window.
 * The machine time is either the time of day or monotonic.
 */
export function windowAt(now: number): { window: number; secondsLeft: number } {
  const window = Math.floor(now / WINDOW_MS);
  return { window, secondsLeft: Math.ceil(((window + 1) * WINDOW_MS - now) / 1000) };
}

/** Counts requests in memory, for a single instance. */
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
