import { setTimeout } from 'node:timers/promises';

/** The duration of each turn in milliseconds, by operation. */
export type Figures = Readonly<Record<string, readonly number[]>>;

/** The pause between two turns of an operation. */
const PAUSE_MS = 10;

/** Runs the operations repeatedly while `work` runs, each of them one at a time. Returns their durations. */
export async function measured(
  operations: Readonly<Record<string, () => Promise<unknown>>>,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const figures: Record<string, number[]> = {};
  let isGoing = true;
  const lanes = Object.entries(operations).map(async ([name, operation]) => {
    const times: number[] = [];
    figures[name] = times;
    while (isGoing) {
      const start = performance.now();
      await operation();
      times.push(performance.now() - start);
      await setTimeout(PAUSE_MS);
    }
  });
  try {
    await Promise.race([work(), Promise.all(lanes)]);
  } finally {
    isGoing = false;
  }
  await Promise.all(lanes);
  return figures;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
