import { PIECE_BYTES } from './bytes.ts';

/** Buffers for the first bytes of writers, kept for reuse, because most writers write one document of a few KB. */
const idle: Uint8Array[] = [];
const MAX_IDLE = 8;
const FIRST_BYTES = 4_096;
export const LARGEST_FIRST = 1 << 16;
/**
 * Further chunks of finished writers. Without them, most of the time for a large reply would be spent on new pages of
 * memory. The reference is weak, so an idle thread does not keep the chunks: the next garbage collection frees them.
 */
let spare: WeakRef<Uint8Array[]> | undefined;
/** Maximum number of spare chunks, of at most `PIECE_BYTES` each. A reply has at most 16 MiB, apart from a few fields. */
const MAX_SPARE = 32;

/** Takes a buffer for the first bytes of a writer. */
export function takeFirst(): Uint8Array {
  return idle.pop() ?? new Uint8Array(FIRST_BYTES);
}

/** Takes a buffer of at least `size` bytes for a writer that has already written `before` bytes. */
export function takeChunk(size: number, before: number): Uint8Array {
  const known = spare?.deref()?.pop();
  if (known !== undefined && known.length >= size) return known;
  return new Uint8Array(Math.max(size, Math.min(before, PIECE_BYTES)));
}

/** Keeps the buffers of a finished writer for later writers. */
export function giveBack(chunk: Uint8Array): void {
  if (chunk.length <= LARGEST_FIRST) {
    if (idle.length < MAX_IDLE) idle.push(chunk);
    return;
  }
  if (chunk.length > PIECE_BYTES) return;
  const chunks = spare?.deref();
  if (chunks === undefined) spare = new WeakRef([chunk]);
  else if (chunks.length < MAX_SPARE) chunks.push(chunk);
}
