import { parseArgs } from 'node:util';
import { sendMalformed } from './testing/malformed.ts';

/** Sends at least this many malformed messages. The host must keep running, and its memory must not grow. */
const MIN_MESSAGES = 100_000;
const EVERY = 5_000;
/**
 * Maximum growth of memory in the second half of the run. By then caches and heaps are full, so that memory
 * grows further only if there is a leak.
 */
const MAX_GROWTH_MIB = 64;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const { sent, faults, memory } = await sendMalformed({
  seed: Number(values.seed),
  messages: MIN_MESSAGES,
  until: () => performance.now() > end,
  every: EVERY,
});
const early = memory[memory.length >> 1] ?? 0;
const late = memory.at(-1) ?? 0;
console.log(`${sent} messages, ${faults.length} faults; MiB in the host: ${memory.join(' ')}`);
for (const fault of faults) console.log(`  ${fault}`);
process.exitCode = faults.length === 0 && late - early < MAX_GROWTH_MIB ? 0 : 1;
