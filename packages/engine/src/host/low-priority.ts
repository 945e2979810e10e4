import { constants, setPriority } from 'node:os';

/** Gives a background thread a lower priority than threads that serve drivers. */
export function lowerPriority(): void {
  // Only on Linux does this affect just the calling thread. On other systems, it would affect the whole process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
