import { constants, setPriority } from 'node:os';

/** Lowers the priority of a background thread below those that answer drivers. */
export function lowerPriority(): void {
  // On Linux this affects the calling thread only; elsewhere it would affect the whole process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
