const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

/** Holds the thread itself up for so many milliseconds: for code that cannot wait in any other way. */
export function pauseThread(ms: number): void {
  Atomics.wait(nobodyWakes, 0, 0, ms);
}
