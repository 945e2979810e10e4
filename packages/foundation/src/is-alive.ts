import { errorCode } from './thrown.ts';

/** Whether a process runs, including one of another user, which this process may not signal. */
export function isAlive(pid: number): boolean {
  // 0 and negative numbers stand for groups of processes.
  if (pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
