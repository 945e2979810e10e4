import { setTimeout } from 'node:timers/promises';

const LIMIT_MS = 180_000;
const STEP_MS = 250;

/** What `look` returns, once it is defined. Throws if that takes too long. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < LIMIT_MS; waited += STEP_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await setTimeout(STEP_MS);
  }
  throw new Error(`${what} did not appear within ${LIMIT_MS / 1000} seconds`);
}
