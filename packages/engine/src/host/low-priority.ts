import { constants, setPriority } from 'node:os';

/** Gives a background thread a lower priority than the threads that serve drivers. */
export function lowerPriority(priority: number = constants.priority.PRIORITY_LOW): void {
  // On Linux, this affects only the calling thread. On other systems, it would affect the whole process.
  if (process.platform === 'linux') setPriority(priority);
}
