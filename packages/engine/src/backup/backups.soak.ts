import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { loads, tryHistory } from './testing-history.ts';

/**
 * Number of random sequences of writes. Each is restored to `MOMENTS` points in time, from snapshots and the oplog
 * after them.
 */
const LOADS = 400;
const MOMENTS = 6;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const until = performance.now() + Number(values.minutes) * 60_000;
let tried = 0;
const property = fc.asyncProperty(loads, async (steps) => {
  if (performance.now() < until) tried += await tryHistory(steps, MOMENTS);
});
await fc.assert(property, { numRuns: LOADS, seed: Number(values.seed) % 2 ** 31 });
console.log(`${tried} points in time were restored correctly`);
