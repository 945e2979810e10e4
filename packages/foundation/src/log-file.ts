import type { MachineClock } from './clock.ts';
import type { Log } from './log.ts';
import { RotatingFile } from './rotating-file.ts';

/** Maximum size of a file; two files have 10 MB in total. */
const BYTES = 5_000_000;

/** Writes JSON lines to a file of limited size. Keeps the previous file with the suffix `.1`. */
export function logFile(path: string, clock: Pick<MachineClock, 'now'>, bytes = BYTES): Log {
  return logTo(new RotatingFile(path, { bytes, older: 1, makeFolder: false }), clock, {});
}

function logTo(file: RotatingFile, clock: Pick<MachineClock, 'now'>, bound: object): Log {
  const at = (level: string) => (fields: object, message: string) => {
    const time = new Date(clock.now()).toISOString();
    file.append(`${JSON.stringify({ time, level, ...bound, ...fields, message })}\n`);
  };
  return {
    debug: () => {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logTo(file, clock, { ...bound, ...fields }),
  };
}
