import { readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms. */
const MS_OF_TICK = 10;

/** Returns the CPU time of a process's main thread so far, in milliseconds. Other load has little effect on it. */
export function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  // Skip the name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) * MS_OF_TICK;
}
