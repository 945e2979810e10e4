/** Whether a process with this id is running. The id 0 would mean the test's own process group. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills a process unless it has ended. */
export function end(pid: number): void {
  try {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended since.
  }
}
