import { machineClock } from '@portolan/foundation/clock';
import { poll } from '@portolan/foundation/wait';

const STEPS = { step: 250, limit: 180_000 };

/** Calls `look` until it returns a value, and returns this value. Throws if that takes too long. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const found = await poll(machineClock(), STEPS, look);
  if (found === undefined) throw new Error(`${what} did not appear within ${STEPS.limit / 1000} seconds`);
  return found;
}
