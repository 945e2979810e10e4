/**
 * The form of what an engine and whoever keeps its data hand each other: frames, each a length (32 bits,
 * little-endian), a kind and a content of that length.
 */

/** A frame whose kind and content are not read yet. */
export interface RawFrame {
  readonly kind: number;
  readonly content: Buffer;
}

const HEADER_BYTES = 5;
/** Chunks are of 1 MiB, and what cannot be packed grows a little; lists of collections are longer. */
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

/** The frames of bytes that were cut anywhere. Throws when they are none, or end in the middle. */
export async function* rawFramesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawFrame> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let wanted = HEADER_BYTES;
  for await (const piece of bytes) {
    pieces.push(piece);
    held += piece.length;
    // Put together once for each frame, not for each piece of it.
    if (held < wanted) continue;
    let rest = Buffer.concat(pieces);
    for (wanted = endOfFrame(rest); wanted <= rest.length; wanted = endOfFrame(rest)) {
      yield { kind: rest[4] ?? 0, content: rest.subarray(HEADER_BYTES, wanted) };
      rest = rest.subarray(wanted);
    }
    pieces = [rest];
    held = rest.length;
  }
  if (held > 0) throw new Error('the snapshot ends in the middle');
}

/** Bytes up to the end of the first frame; where its header is not there yet, up to the end of that. */
function endOfFrame(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const length = bytes.readUInt32LE(0);
  if (length > LARGEST_BYTES) throw new Error('these are not the bytes of a snapshot');
  return HEADER_BYTES + length;
}
