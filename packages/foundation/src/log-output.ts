import { writeSync } from 'node:fs';

const BUSY_MS = 10;
/** Maximum time for which a slow reader can block the process. */
const LONGEST_MS = 1_000;

/**
 * The log output of a process: its standard error. Lines that cannot be written, for example because the disk is full,
 * are dropped. With pino's own output the process would then hang, because pino retries forever at exit.
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
        // There is no other place to report the error.
      }
      if (rest.length < whole) isCut = rest.length > 0;
    },
  };
}

/** Returns the number of bytes written, or undefined if the pipe is full. */
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
