/**
 * Frees the memory of bytes at once; garbage collection would leave dozens of megabytes of them. Nothing may use their
 * buffer afterwards.
 */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
