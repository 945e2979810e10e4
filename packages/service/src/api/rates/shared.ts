import type { Store } from '../../store/index.ts';
import type { RateCounter } from './rates.ts';
import { countRequest } from './rows.ts';

/** Counts requests in the store, for several instances that share it. */
export function sharedRates(store: Store): RateCounter {
  return {
    take: async (key, window, limit) =>
      limit - (await store.write((tx) => countRequest(tx, key, window, limit))),
  };
}
