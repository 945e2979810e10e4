import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const LIMIT_MS = 120_000;
const STEP_MS = 200;

/** Starts a program that writes its output to a file. */
export function startProgram(
  program: string,
  args: readonly string[],
  { log, env = {}, folder }: { log: string; env?: Readonly<Record<string, string>>; folder?: string },
): ChildProcess {
  const output = openSync(log, 'a');
  return spawn(program, args, {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
}

export async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  // A frozen process ends only after it has been resumed.
  child.kill('SIGCONT');
  await exit;
}

/** Waits until a check succeeds. Throws if the program ends first. */
export async function ready(child: ChildProcess, name: string, check: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < LIMIT_MS; waited += STEP_MS) {
    if (child.exitCode !== null) throw new Error(`${name} has ended with code ${child.exitCode}`);
    if (await check().catch(() => false)) return;
    await setTimeout(STEP_MS);
  }
  throw new Error(`${name} is not ready after ${LIMIT_MS / 1000} seconds`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
