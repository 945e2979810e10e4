import { errorCode } from './thrown.ts';

/** Whether a process is running, including processes of other users that this process may not signal. */
export function isAlive(pid: number): boolean {
  // 0 and negative numbers denote process groups.
  if (pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
