import { setTimeout } from 'node:timers/promises';
import type { Collection, Document, OptionalUnlessRequiredId } from 'mongodb';
import { milliseconds } from './support.ts';

/** The CPU time of a server so far, in microseconds. */
export type Processor = () => Promise<NodeJS.CpuUsage>;

/** Operations per second, and the server's CPU time per operation in microseconds. */
export interface Rate {
  readonly perSecond: number;
  readonly micros: number;
}

/** Measures a rate. `work` returns the number of operations that have completed. */
export async function rateOf(processor: Processor, work: () => Promise<number>): Promise<Rate> {
  const before = await processor();
  const start = performance.now();
  const done = await work();
  const seconds = milliseconds(start) / 1000;
  const after = await processor();
  const micros = after.user + after.system - before.user - before.system;
  return { perSecond: done / seconds, micros: micros / done };
}

/** How many connections the driver opens in these measurements. */
export const POOL = 16;
const SECONDS = 4;
/** Duration of the warm-up, after which a server has compiled its code. */
const WARM_UP_SECONDS = 4;

/**
 * Measures the rate after a warm-up. Each of `lanes` callers has one operation in progress. By default, there is one
 * caller for each connection of the pool.
 */
export async function pooledRate(
  processor: Processor,
  operation: () => Promise<unknown>,
  lanes = POOL,
): Promise<Rate> {
  const run = (seconds: number) => countFor(operation, { seconds, lanes });
  await run(WARM_UP_SECONDS);
  return rateOf(processor, () => run(SECONDS));
}

/** Measures the rate at which several callers insert documents, each with one batch at a time. */
export function insertRate<T extends Document>(
  documents: Pick<Collection<T>, 'insertMany'>,
  processor: Processor,
  callers: number,
  batches: readonly OptionalUnlessRequiredId<T>[][],
): Promise<Rate> {
  const left = [...batches];
  const caller = async () => {
    for (let batch = left.pop(); batch !== undefined; batch = left.pop()) await documents.insertMany(batch);
  };
  return rateOf(processor, async () => {
    await Promise.all(Array.from({ length: callers }, caller));
    return batches.flat().length;
  });
}

/** Runs an operation repeatedly, in `lanes` parallel loops. Returns how many operations have completed. */
export async function countFor(
  operation: () => Promise<unknown>,
  { seconds, lanes, thinkMs }: { seconds: number; lanes: number; thinkMs?: number },
): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const lane = async () => {
    for (; performance.now() < until; count++) {
      await operation();
      if (thinkMs !== undefined) await setTimeout(Math.random() * 2 * thinkMs);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count;
}
