/**
 * Frees the memory of a byte array at once. With garbage collection alone, dozens of megabytes of such arrays would
 * remain. Nothing may use the buffer of the array afterwards.
 */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
