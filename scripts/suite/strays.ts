import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process that outlived the tests, and its command line. */
export interface Stray {
  readonly pid: number;
  readonly command: string;
}

/** Kills processes whose command line contains a folder below `root`: engine hosts with a data directory there. */
export function endStrays(root: string): Stray[] {
  const strays = processes().filter(
    ({ pid, command }) => command.includes(`${root}/`) && pid !== process.pid,
  );
  return strays.filter(({ pid }) => {
    try {
      return process.kill(pid, 'SIGKILL');
    } catch {
      return false;
    }
  });
}

/**
 * Reads the processes from `/proc`, since slim containers lack `ps`. Uses `ps` where there is no `/proc`, and
 * returns nothing on Windows.
 */
function processes(): Stray[] {
  if (process.platform === 'win32') return [];
  return existsSync('/proc/self/cmdline') ? fromProc() : fromPs();
}

function fromProc(): Stray[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), command }];
      } catch {
        return [];
      }
    });
}

function fromPs(): Stray[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const { pid, command } = /^\s*(?<pid>\d+)\s+(?<command>.+)$/.exec(line)?.groups ?? {};
    return pid && command ? [{ pid: Number(pid), command }] : [];
  });
}
