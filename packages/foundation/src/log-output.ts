import { writeSync } from 'node:fs';

const BUSY_MS = 10;
/** For so long a reader that does not read holds up the process. */
const LONGEST_MS = 1_000;

/**
 * Where the log of a process goes: its standard error. What cannot be written, to a full disk for instance, is lost, and
 * the process goes on; pino's own output would neither go on nor end then (it tries for ever as it ends).
 */
export function logOutput(fd = 2): { write(text: string): void } {
  let isCut = false;
  return {
    write(text) {
      let rest = Buffer.from(isCut ? `\n${text}` : text);
      const whole = rest.length;
      try {
        for (let waited = 0; rest.length > 0; ) {
          const written = writeSome(fd, rest);
          if (written === undefined && waited >= LONGEST_MS) break;
          if (written === undefined) waited += pause();
          else rest = rest.subarray(written);
        }
      } catch {
        // Nobody could be told.
      }
      if (rest.length < whole) isCut = rest.length > 0;
    },
  };
}

/** Nothing where the other side has no room at present. */
function writeSome(fd: number, bytes: Uint8Array): number | undefined {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

function pause(): number {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
  return BUSY_MS;
}
