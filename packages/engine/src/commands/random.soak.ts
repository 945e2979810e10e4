import { parseArgs } from 'node:util';
import { tryRandomly } from './testing-random.ts';

/**
 * Number of commands with random documents, filters, updates and pipelines. None of them may cause an internal error.
 */
const COMMANDS = 100_000;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, minutes: { type: 'string', default: '10' } },
});
const until = performance.now() + Number(values.minutes) * 60_000;
const accepted = tryRandomly(COMMANDS, Number(values.seed) % 2 ** 31, () => performance.now() < until);
console.log(`${accepted} of ${COMMANDS} commands at most were accepted, none failed inside`);
