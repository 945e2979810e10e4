import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const MOST_LINES = 1_024;
/** Enough for as many lines of common length. */
const TAIL_BYTES = 512 * 1024;

/** Of a member's log, in the folder `log` of its cluster. */
export function logFileName(member: string, log: 'audit' | 'server'): string {
  return `${member}.${log}.log`;
}

/** The end of a member's log, as `getLog` tells it. */
export class RecentLines {
  readonly #path: string;

  constructor(directory: string, member: string) {
    this.#path = join(directory, 'log', logFileName(member, 'server'));
  }

  /** `total`: how many lines of these severities the end of the file has. */
  read(severities?: ReadonlySet<string>): { lines: string[]; total: number } {
    const all = this.#tail().filter((line) => severities === undefined || severities.has(severityOf(line)));
    return { lines: all.slice(-MOST_LINES), total: all.length };
  }

  #tail(): string[] {
    let file: number;
    try {
      file = openSync(this.#path, 'r');
    } catch {
      // Nothing has been written yet.
      return [];
    }
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(file, buffer, 0, buffer.length, size - buffer.length);
      const lines = buffer.toString().split('\n');
      // The first may be cut off, the last is empty or still being written.
      return lines.slice(size > TAIL_BYTES ? 1 : 0, -1);
    } finally {
      closeSync(file);
    }
  }
}

function severityOf(line: string): string {
  return /"s":"([A-Z])/.exec(line)?.[1] ?? '';
}
