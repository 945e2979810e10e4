import { closeSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { machineClock } from '@portolan/foundation/clock';
import { processMs } from '@portolan/foundation/idle-collection';
import { errorMessage } from '@portolan/foundation/thrown';
import { type HostOutcome, OUTCOME_FD } from '../control/outcome.ts';
import type { HostSettings } from '../control/protocol.ts';
import { startHost } from './host.ts';
import { returnMemoryWhenIdle } from './idle-host.ts';
import { AlreadyRunning } from './lock.ts';

/**
 * This file is the entry point of an engine host that is a process of its own. Its only argument contains the
 * settings as JSON. The host writes the outcome of its start to file descriptor 3. It ends on a control call, on
 * SIGTERM or SIGINT, or when its data directory no longer exists. With `endsWithStarter`, it also ends when its
 * standard input ends.
 */

function report(outcome: HostOutcome): void {
  try {
    writeSync(OUTCOME_FD, JSON.stringify(outcome));
    closeSync(OUTCOME_FD);
  } catch {
    // The parent process has ended, or does not read the outcome.
  }
}

const settings: HostSettings = JSON.parse(process.argv[2] ?? '');
try {
  // Do not use `process.exit`, because it waits for all threads, including the stuck one. The service starts the next
  // host only when this process has ended.
  const endProcess = () => process.kill(process.pid, 'SIGKILL');
  const host = await startHost(settings, { endProcess });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void host.stop());
  if (settings.endsWithStarter) {
    for (const event of ['end', 'error'] as const) process.stdin.on(event, () => void host.stop());
    process.stdin.resume();
  }
  report({ kind: 'ready' });
  // Write the compile cache now. A host that is killed does not write it at exit.
  machineClock().after(1_000, flushCompileCache);
  returnMemoryWhenIdle(machineClock(), processMs);
  await host.ended;
  process.exit(0);
} catch (error) {
  const message = errorMessage(error);
  report(error instanceof AlreadyRunning ? { kind: 'running' } : { kind: 'failed', message });
  process.exit(1);
}
