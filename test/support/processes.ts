/** Whether a process of this number runs; zero would stand for those of this test. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process that is still there. */
export function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
