import type { CompanionAddress } from '../library/protocol.ts';
import { machineClock } from '../runtime/clock.ts';
import { systemRandom } from '../runtime/random.ts';
import { makeFolder, removeLeft } from './folder.ts';
import { Parts } from './parts.ts';
import { listenForCalls } from './server.ts';

/**
 * The companion of a process that tests: it runs services and databases for it, all in this one process, and ends with
 * it. Its standard input is a pipe that the other side never writes to; it ends when that does, however that happens,
 * a kill included. What it prints first says how it is reached.
 */

const TOKEN_BYTES = 32;
/** To close what is kept; whoever waits for the end of this process does not wait for longer. */
const CLOSING_MS = 3_000;

process.umask(0o077);
const clock = machineClock();
const folder = makeFolder();
const parts = new Parts(folder.path, clock);
const token = systemRandom().bytes(TOKEN_BYTES).toString('hex');

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  clock.after(CLOSING_MS, () => process.exit(1));
  await parts.close();
  await folder.remove();
  process.exit(0);
}

process.stdin.resume();
for (const event of ['end', 'close', 'error'] as const) process.stdin.on(event, () => void end());
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
// Ctrl-C reaches both processes of a terminal; the other one may want to close what it has here.
process.on('SIGINT', () => {});

const address: CompanionAddress = { port: await listenForCalls((name) => parts.call(name), token), token };
process.stdout.on('error', () => {});
process.stdout.write(`${JSON.stringify(address)}\n`);
// While the other side connects.
if (process.argv[2] === 'databases') parts.prepareDatabases();
else parts.prepareServices();
// Nobody waits for it, and what cannot be removed the next one finds.
removeLeft(folder).catch(() => {});
