import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process as `/proc` tells it. */
export interface ProcessFacts {
  readonly parent: number;
  /** The command line, a blank between two arguments. */
  readonly command: string;
}

/** What is known of a process; undefined if it has ended, and on systems without `/proc`. */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may hold any character; state and parent follow the last bracket (proc(5)).
    const [, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}

/** An open file of a process: `/proc/<pid>/fd/<number>`. */
export type OpenFile = string;

/** What an open file is, such as `pipe:[4711]`. */
export function targetOf(file: OpenFile): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** The end of a pipe at which other processes read; undefined if no process of this user does. */
export function readerOf(pipe: string): OpenFile | undefined {
  const processes = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  for (const pid of processes) {
    for (const number of entriesOf(`/proc/${pid}/fd`)) {
      const file = `/proc/${pid}/fd/${number}`;
      if (targetOf(file) === pipe && isForReading(`/proc/${pid}/fdinfo/${number}`)) return file;
    }
  }
  return undefined;
}

/** The two lowest bits of the flags, in octal, are 0 for reading and 2 for both ways (open(2)). */
function isForReading(info: string): boolean {
  try {
    const [, flags = ''] = /^flags:\s+(\d+)$/m.exec(readFileSync(info, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & 3) !== 1;
  } catch {
    return false;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
