import type { MachineClock } from '@portolan/foundation/clock';

/** After this time a request counts as unanswered, since a frozen server never replies. */
const LIMIT_MS = 10_000;

/** The result of a request; throws if the request takes too long. */
export async function withinLimit<T>(machine: Pick<MachineClock, 'after'>, request: Promise<T>): Promise<T> {
  let cancel = () => {};
  const limit = new Promise<never>((_, reject) => {
    cancel = machine.after(LIMIT_MS, () => reject(new Error('no reply within 10 seconds')));
  });
  try {
    return await Promise.race([request, limit]);
  } finally {
    cancel();
  }
}
