import type { MachineClock } from './clock.ts';

/** Resolves after `ms` milliseconds. The timer keeps the process alive. */
export function wait(machine: Pick<MachineClock, 'after'>, ms: number): Promise<void> {
  return new Promise((resolve) => void machine.after(ms, resolve, { keepAlive: true }));
}

/**
 * Calls `ask` every `step` milliseconds, at least once, until it returns a value. Returns undefined after `limit`
 * milliseconds.
 */
export async function poll<T>(
  machine: Pick<MachineClock, 'after' | 'monotonic'>,
  { step, limit }: { readonly step: number; readonly limit: number },
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const deadline = machine.monotonic() + limit;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || machine.monotonic() > deadline) return answer;
    await wait(machine, step);
  }
}

/**
 * Returns the result of `work`; undefined if it takes longer than `ms` milliseconds. The timer keeps the process alive.
 */
export async function within<T>(
  machine: Pick<MachineClock, 'after'>,
  ms: number,
  work: Promise<T>,
): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = machine.after(ms, () => resolve(undefined), { keepAlive: true });
  return Promise.race([work, late]).finally(cancel);
}
