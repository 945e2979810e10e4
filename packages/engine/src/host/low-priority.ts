import { constants, setPriority } from 'node:os';

/** For a thread whose work may take as long as it takes: those that answer drivers go first. */
export function lowerPriority(): void {
  // On Linux this is the priority of the calling thread alone; elsewhere it would be that of all clusters.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
