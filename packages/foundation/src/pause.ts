const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread for `ms` milliseconds, for code that cannot be asynchronous. */
export function pauseThread(ms: number): void {
  Atomics.wait(neverNotified, 0, 0, ms);
}
