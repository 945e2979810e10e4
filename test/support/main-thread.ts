import { readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms. */
const MS_OF_TICK = 10;

/** The CPU time of the main thread of a process so far, in milliseconds; other load has little effect on it. */
export function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) * MS_OF_TICK;
}
