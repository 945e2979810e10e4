import { RawDocument } from '../../bson/raw.ts';
import { copied } from '../../bson/turns.ts';
import type { SpillFile } from '../workspace.ts';

/** Number of bytes read from a run at a time. */
const CHUNK = 1 << 18;

/** A range of a spill file that contains consecutive documents. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Appends documents to a file in blocks. */
export function writeRun(file: SpillFile, docs: Iterable<RawDocument>): Run {
  let start: number | undefined;
  let end = 0;
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    const at = file.append(Buffer.concat(waiting));
    start ??= at;
    end = at + size;
    copied(size);
    waiting = [];
    size = 0;
  };
  for (const doc of docs) {
    waiting.push(doc.toBytes());
    size += doc.length;
    if (size >= CHUNK) flush();
  }
  if (size > 0) flush();
  return { start: start ?? 0, end };
}

/** Reads the documents of a run in order. */
export function* readRun(file: SpillFile, { start, end }: Run): Generator<RawDocument> {
  let at = start;
  while (at < end) {
    let bytes = file.read(at, Math.min(CHUNK, end - at));
    const first = lengthAt(bytes, 0);
    if (first > bytes.length) bytes = file.read(at, first);
    let offset = 0;
    while (offset + 4 <= bytes.length) {
      const length = lengthAt(bytes, offset);
      if (offset + length > bytes.length) break;
      yield new RawDocument(bytes, offset, length);
      offset += length;
    }
    at += offset;
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true);
}
