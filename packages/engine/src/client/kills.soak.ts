import { parseArgs } from 'node:util';
import { killWhileWriting } from './testing/kills.ts';

/**
 * Kills the engine host at least this many times under load. The seed determines the number of writes between kills.
 */
const MIN_KILLS = 50;
/** Number of kills per round. After a round, all data is checked and the next round starts with new clusters. */
const ROUND = 25;
const MAX_WRITES = 2_000;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});

/** Random numbers by the algorithm mulberry32. */
let state = Number(values.seed) >>> 0;
function draw(limit: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}

const end = performance.now() + Number(values.minutes) * 60_000;
let kills = 0;
let faults = 0;
while (kills < MIN_KILLS || performance.now() < end) {
  const report = await killWhileWriting({ kills: ROUND, clusters: 3, mostWrites: MAX_WRITES, draw });
  kills += report.kills;
  faults += report.faults.length;
  console.log(
    `${report.kills} kills, ${report.acknowledged} acknowledged writes, ${report.faults.length} faults`,
  );
  for (const fault of report.faults) console.log(`  ${fault}`);
}
console.log(`${kills} kills in all`);
process.exitCode = faults === 0 ? 0 : 1;
