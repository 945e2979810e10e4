import { errorCode } from './thrown.ts';

/** True if a process is running, even if it belongs to another user and cannot be signaled. */
export function isAlive(pid: number): boolean {
  // 0 and negative numbers mean process groups.
  if (pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
