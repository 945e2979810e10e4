/**
 * This file defines the format in which an engine and the store of its backups exchange data. The data consists of
 * frames. A frame consists of a length (32 bits, little-endian), a kind, and content of that length.
 */

/** A frame whose kind and content are not parsed. */
export interface RawFrame {
  readonly kind: number;
  readonly content: Buffer;
}

const HEADER_BYTES = 5;
/**
 * Maximum size of a frame. A chunk has 1 MiB, or a little more if it cannot be compressed. A list of collections may be
 * longer.
 */
const LARGEST_BYTES = 256 * 1024 * 1024;

export function encodeRawFrame(kind: number, parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    0,
  );
  header.writeUInt8(kind, 4);
  return Buffer.concat([header, ...parts]);
}

/** Splits a byte stream into frames. Throws if the stream is invalid or ends within a frame. */
export async function* rawFramesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawFrame> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let wanted = HEADER_BYTES;
  for await (const piece of bytes) {
    pieces.push(piece);
    held += piece.length;
    // Wait for the whole frame, so that its pieces are concatenated only once.
    if (held < wanted) continue;
    let rest = Buffer.concat(pieces);
    for (wanted = endOfFrame(rest); wanted <= rest.length; wanted = endOfFrame(rest)) {
      yield { kind: rest[4] ?? 0, content: rest.subarray(HEADER_BYTES, wanted) };
      rest = rest.subarray(wanted);
    }
    pieces = [rest];
    held = rest.length;
  }
  if (held > 0) throw new Error('the snapshot is truncated');
}

/** Returns the end of the first frame or, if its header is incomplete, the end of the header. */
function endOfFrame(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const length = bytes.readUInt32LE(0);
  if (length > LARGEST_BYTES) throw new Error('the data is not a snapshot');
  return HEADER_BYTES + length;
}
