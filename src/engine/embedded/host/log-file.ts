import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { MachineClock } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';

/** The file and the one before it: 10 MB at most. */
const ROTATE_BYTES = 5_000_000;

/** Writes JSON lines to a file of bounded size; what was in it before is kept once, with `.1` behind its name. */
export function logFile(path: string, clock: MachineClock, rotateBytes = ROTATE_BYTES): Log {
  let size = sizeOf(path);
  const write = (line: string) => {
    try {
      if (size + line.length > rotateBytes) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // A full disk, or a data directory that is gone: the databases matter more than the log.
    }
  };
  return logTo(write, clock, {});
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function logTo(write: (line: string) => void, clock: MachineClock, bound: object): Log {
  const at = (level: string) => (fields: object, message: string) => {
    const time = new Date(clock.now()).toISOString();
    write(`${JSON.stringify({ time, level, ...bound, ...fields, message })}\n`);
  };
  return {
    debug: () => {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logTo(write, clock, { ...bound, ...fields }),
  };
}
