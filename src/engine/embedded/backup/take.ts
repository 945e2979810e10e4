import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { encodeFrame } from '../../snapshot.ts';
import { FILE_NAME } from '../storage/format.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { copyFile } from './copy.ts';
import { digestsOf } from './digests.ts';
import { writtenState } from './written.ts';

export interface TakeRequest {
  /** That of the cluster. */
  readonly directory: string;
  /** An empty one for the copy; whoever asks removes it. */
  readonly folder: string;
  /** Hashes of chunks that the receiver has: their content is not sent. And the state of its last snapshot. */
  readonly known: readonly string[];
}

/** The level that packs about as quickly as a disk reads; the next ones take twice as long for a tenth less. */
const packing = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * The frames of a snapshot of a cluster at this moment. It is copied first, beside the cluster's file, so that a slow
 * receiver keeps no log of the cluster from beginning anew; the copy needs as much room as the file.
 */
export async function* takeSnapshot(request: TakeRequest): AsyncGenerator<Uint8Array> {
  const file = join(request.directory, FILE_NAME);
  // Before the copy: what is written meanwhile counts as written since.
  const state = writtenState(file);
  if (request.known.includes(state)) {
    yield encodeFrame({ kind: 'same' });
    return;
  }
  yield* framesOfCopy(file, request, state);
}

async function* framesOfCopy(
  source: string,
  { folder, known }: TakeRequest,
  state: string,
): AsyncGenerator<Uint8Array> {
  const copy = join(folder, FILE_NAME);
  const position = await copyFile(source, copy);
  const collections = digestsOf(copy);
  const file = openSync(copy, 'r');
  try {
    yield encodeFrame({ kind: 'head', head: { format: 1, position, bytes: fstatSync(file).size, state } });
    yield* chunkFrames(file, new Set(known));
  } finally {
    closeSync(file);
  }
  yield encodeFrame({ kind: 'end', end: { collections } });
}

function* chunkFrames(file: number, known: Set<string>): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; at += CHUNK_BYTES) {
    const length = readSync(file, buffer, 0, CHUNK_BYTES, at);
    if (length === 0) return;
    const content = buffer.subarray(0, length);
    const name = hash('sha256', content, 'hex');
    if (known.has(name)) yield encodeFrame({ kind: 'known', hash: name });
    else yield encodeFrame({ kind: 'chunk', hash: name, content: zstdCompressSync(content, packing) });
    // It may come again in the same file.
    known.add(name);
  }
}
