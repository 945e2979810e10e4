import { machineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';

/**
 * Milliseconds between two calls, and between the first and the last call. The limit is long, because a busy machine
 * may be slow.
 */
const LIMITS = { step: 20, limit: 360_000 };

/**
 * Repeats a call until its result matches, because threads report to the host with a delay. Returns the last result if
 * none has matched within the limit.
 */
export async function eventually<T>(ask: () => Promise<T>, found: (answer: T) => boolean): Promise<T> {
  let last = await ask();
  await poll(machineClock(), LIMITS, async () => {
    if (found(last)) return true;
    last = await ask();
    return found(last) ? true : undefined;
  });
  return last;
}
