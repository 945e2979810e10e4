import { constants, setPriority } from 'node:os';

/**
 * Gives a background thread a lower priority than the threads that serve drivers. With the default, a background thread
 * gets a tenth as much CPU time as a thread that serves drivers, if such threads use all processors. With
 * `PRIORITY_LOW`, it would get a seventieth, and a backup of a busy cluster might not end.
 */
export function lowerPriority(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  // On Linux, this affects only the calling thread. On other systems, it would affect the whole process.
  if (process.platform === 'linux') setPriority(priority);
}
