import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import type { CompanionAddress } from '../library/protocol.ts';
import { makeFolder, removeLeft } from './folder.ts';
import { listenForCalls } from './server.ts';

/**
 * The part of a companion that implements its calls. Each call is an own property of the object: a function
 * with one argument.
 */
export interface CompanionPart {
  close(): Promise<void>;
}

type AnyCall = (argument: never) => Promise<unknown>;

const TOKEN_BYTES = 32;
/**
 * Maximum time that this process waits for its databases or services to close before it exits. On a busy machine,
 * closing takes many seconds. If the process exited earlier, it would leave its folder behind.
 */
const CLOSING_MS = 60_000;

/**
 * Runs this process as the companion of the process that started it. Standard input is a pipe to which the parent never
 * writes. When the parent ends for any reason, the pipe is closed. This process then closes everything and exits. The
 * first line of standard output is the address. `open` runs while the parent connects. Its argument is a folder that is
 * removed at the end.
 */
export async function runCompanion(
  open: (folder: string, clock: MachineClock) => Promise<CompanionPart>,
): Promise<void> {
  process.umask(0o077);
  const clock = machineClock();
  const folder = makeFolder();
  const token = systemRandom().bytes(TOKEN_BYTES).toString('hex');
  let opening: Promise<CompanionPart> | undefined;
  const opened = () => {
    opening ??= open(folder.path, clock);
    return opening;
  };

  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    clock.after(CLOSING_MS, () => process.exit(1));
    await Promise.allSettled([opening?.then((part) => part.close())]);
    await folder.remove();
    process.exit(0);
  };
  process.stdin.resume();
  for (const event of ['end', 'close', 'error'] as const) process.stdin.on(event, () => void end());
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
  // Ignore Ctrl-C, which a terminal sends to both processes. The parent may still need its databases or
  // services, and closes them itself.
  process.on('SIGINT', () => {});

  const port = await listenForCalls(async (name) => callOf(await opened(), name), token);
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.stringify({ port, token } satisfies CompanionAddress)}\n`);
  opened().catch(() => {});
  // Do not await this. If something is left, a later companion removes it.
  removeLeft(folder).catch(() => {});
}

function callOf(part: CompanionPart, name: string): AnyCall | undefined {
  return Object.hasOwn(part, name) ? (part as unknown as Record<string, AnyCall>)[name] : undefined;
}
