import { setTimeout } from 'node:timers/promises';
import { milliseconds } from './support.ts';

/** The CPU time of a server so far, in microseconds. */
export type Processor = () => Promise<NodeJS.CpuUsage>;

/** Operations per second, and the server's CPU time for each in microseconds. */
export interface Rate {
  readonly perSecond: number;
  readonly micros: number;
}

/** `work` returns the number of completed operations. */
export async function rateOf(processor: Processor, work: () => Promise<number>): Promise<Rate> {
  const before = await processor();
  const start = performance.now();
  const done = await work();
  const seconds = milliseconds(start) / 1000;
  const after = await processor();
  const micros = after.user + after.system - before.user - before.system;
  return { perSecond: done / seconds, micros: micros / done };
}

/** Runs an operation again and again in each of `lanes` lanes, and returns how many have completed. */
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
