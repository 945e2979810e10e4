/**
 * Frees the memory of a byte array at once. With garbage collection alone, dozens of megabytes of such arrays would
 * remain. Nothing may use the buffer of the array afterwards. Does nothing for an array that shares its buffer, as
 * small arrays of Node.js do.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
