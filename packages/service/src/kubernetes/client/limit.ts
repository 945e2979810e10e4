import type { MachineClock } from '@portolan/foundation/clock';

/** After this time, a request counts as failed, because a frozen server never replies. */
export const LIMIT_MS = 30_000;

/** Returns the result of a request; throws if the request takes too long, or if the signal is aborted. */
export async function withinLimit<T>(
  machine: Pick<MachineClock, 'after'>,
  request: Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let stop = () => {};
  const end = new Promise<never>((_, reject) => {
    const abort = () => reject(new Error('the request was aborted'));
    const cancel = machine.after(LIMIT_MS, () => reject(new Error('no reply within 30 seconds')));
    signal?.addEventListener('abort', abort);
    stop = () => {
      cancel();
      signal?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([request, end]);
  } finally {
    stop();
  }
}
