import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Information about a process from `/proc`. */
export interface ProcessFacts {
  readonly parent: number;
  /** The command line, with spaces between the arguments. */
  readonly command: string;
}

/** Returns information about a process. Returns undefined if it has ended, and on systems without `/proc`. */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain any character. State and parent follow the last parenthesis (proc(5)).
    const [, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}

/** The path of an open file of a process, `/proc/<pid>/fd/<number>`. */
export type OpenFile = string;

/** Returns the target of an open file, such as `pipe:[4711]`. */
export function targetOf(file: OpenFile): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** Returns the open file of another process that reads from a pipe, or undefined if no process of this user does. */
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

/**
 * True unless the file is open only for writing. The lowest two bits of the octal flags are 0 for reading, 1 for
 * writing and 2 for both (open(2)).
 */
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
