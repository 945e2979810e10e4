import { fstatSync } from 'node:fs';
import type { MachineClock } from '../clock.ts';
import { repeat } from '../repeat.ts';
import { hasLostRunner, INIT, startingChain } from './chain.ts';
import { processFacts, readerOf, targetOf } from './processes.ts';

/** A service ends within a second of the command that started it; closing takes its part of that. */
const LOOK_MS = 250;
const STDOUT = '/proc/self/fd/1';

/**
 * Resolves when this process is asked to end: by a signal, or, unless it is to stay, because the command that
 * started it has ended or nobody reads what it prints any more. npm passes signals to its shell, and the shell dies of
 * them without passing them on; of a kill neither tells anybody.
 */
export function askedToEnd(machine: MachineClock, stays: boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
    // A terminal that is closed sends it; without a listener the process would end with its work undone.
    process.on('SIGHUP', () => {
      if (!stays) resolve();
    });
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', () => {
        if (!stays) resolve();
      });
    }
    if (stays) return;
    const isOver = starterIsGone();
    const watch = repeat({
      machine,
      interval: LOOK_MS,
      run() {
        if (!isOver()) return;
        resolve();
        watch.stop().catch(() => {});
      },
      onError: (error) =>
        console.error(`portolan: the command that started it cannot be watched: ${error.message}`),
    });
  });
}

/** Tells, each time it is asked, whether the command that started this process has ended. */
function starterIsGone(): () => boolean {
  const parent = process.ppid;
  const chain = startingChain(process.pid, processFacts);
  // It was ended before this process had begun to look.
  const isLost = (chain.length === 0 && parent === INIT) || hasLostRunner(process.pid, processFacts);
  const wasOrphan = isLost && process.env.npm_lifecycle_event !== undefined;
  const hasReader = outputReader();
  return () =>
    wasOrphan ||
    (chain.length > 0 && process.ppid !== parent) ||
    chain.some(({ child, parent }) => processFacts(child)?.parent !== parent) ||
    !hasReader();
}

/** Tells whether somebody still reads the pipe that is written to; true where that cannot be known. */
function outputReader(): () => boolean {
  const pipe = isPipe() ? targetOf(STDOUT) : undefined;
  let reader = pipe === undefined ? undefined : readerOf(pipe);
  if (pipe === undefined || reader === undefined) return () => true;
  return () => {
    // Another process may have the same end: only a look at all of them tells, and only when this one has closed it.
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
