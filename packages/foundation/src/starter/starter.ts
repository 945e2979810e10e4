import { fstatSync } from 'node:fs';
import type { MachineClock } from '../clock.ts';
import { repeat } from '../repeat.ts';
import { hasLostRunner, INIT, startingChain } from './chain.ts';
import { processFacts, readerOf, targetOf } from './processes.ts';

/**
 * Interval of the checks. A service must end within one second after the command that started it. This includes the
 * shutdown of the service.
 */
const CHECK_MS = 250;
const STDOUT = '/proc/self/fd/1';

/**
 * Resolves when this process should shut down: when it receives a signal, when the command that started it has ended,
 * or when no process reads its output any more. With `stays`, only SIGINT and SIGTERM count. Signals alone do not
 * suffice: npm forwards a signal only to its shell, which ends without forwarding the signal, and a killed npm forwards
 * none.
 */
export function shutdownRequested(machine: MachineClock, stays: boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
    // Sent when the terminal closes. Without a listener, the signal would end the process without a shutdown.
    process.on('SIGHUP', () => {
      if (!stays) resolve();
    });
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => {
        if (!stays) resolve();
      });
    }
    if (stays) return;
    const isOver = starterWatch();
    const watch = repeat({
      machine,
      interval: CHECK_MS,
      run() {
        if (!isOver()) return;
        resolve();
        watch.stop().catch(() => {});
      },
      onError: (error) =>
        console.error(`portolan: the command that started this process cannot be watched: ${error.message}`),
    });
  });
}

/** Returns a function that checks whether the command that started this process has ended. */
function starterWatch(): () => boolean {
  const parent = process.ppid;
  const chain = startingChain(process.pid, processFacts);
  // True if the command had already ended when this process started.
  const isLost = (chain.length === 0 && parent === INIT) || hasLostRunner(process.pid, processFacts);
  const wasOrphan = isLost && process.env.npm_lifecycle_event !== undefined;
  const hasReader = outputReader();
  return () =>
    wasOrphan ||
    (chain.length > 0 && process.ppid !== parent) ||
    chain.some(({ child, parent }) => processFacts(child)?.parent !== parent) ||
    !hasReader();
}

/**
 * Returns a function that checks whether a process still reads standard output. The function also returns true if
 * standard output is not a pipe, or if the readers are unknown.
 */
function outputReader(): () => boolean {
  const pipe = isPipe() ? targetOf(STDOUT) : undefined;
  let reader = pipe === undefined ? undefined : readerOf(pipe);
  if (pipe === undefined || reader === undefined) return () => true;
  return () => {
    // The known reader has closed the pipe. Other readers are searched only now, because the search reads the open
    // files of all processes.
    if (reader !== undefined && targetOf(reader) !== pipe) reader = readerOf(pipe);
    return reader !== undefined;
  };
}

function isPipe(): boolean {
  try {
    return fstatSync(1).isFIFO();
  } catch {
    return false;
  }
}
