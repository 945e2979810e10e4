import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeFrame } from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/format.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { copyFile } from './copy.ts';
import { digestsOf } from './digests.ts';
import { sealDigests } from './sealed-digests.ts';
import { writtenState } from './written.ts';

export interface TakeRequest {
  /** That of the cluster. */
  readonly directory: string;
  /** An empty one for the copy; whoever asks removes it. */
  readonly folder: string;
  /** Hashes of chunks that the receiver has: their content is not sent. And the state of its last snapshot. */
  readonly known: readonly string[];
  /** Where the file is encrypted: its key, and how that may be told. */
  readonly encryption?: { readonly key: Uint8Array; readonly wrapped: WrappedKey } | undefined;
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
  const state = stateOf(file, request);
  if (request.known.includes(state)) {
    yield encodeFrame({ kind: 'same' });
    return;
  }
  yield* framesOfCopy(file, request, state);
}

/** Another master key makes another snapshot, although the file stays as it is. */
function stateOf(file: string, { encryption }: TakeRequest): string {
  const written = writtenState(file);
  return encryption === undefined
    ? written
    : hash('sha256', `${written} ${encryption.wrapped.masterKey}`, 'hex');
}

async function* framesOfCopy(
  source: string,
  { folder, known, encryption }: TakeRequest,
  state: string,
): AsyncGenerator<Uint8Array> {
  const copy = join(folder, FILE_NAME);
  const { key, wrapped } = encryption ?? {};
  const position = await copyFile(source, copy, key);
  const collections = digestsOf(copy, key);
  const file = openSync(copy, 'r');
  try {
    const head = { position, bytes: fstatSync(file).size, state, ...(wrapped && { key: wrapped }) };
    yield encodeFrame({ kind: 'head', head: { format: 1, ...head } });
    yield* chunkFrames(file, new Set(known));
  } finally {
    closeSync(file);
  }
  const end = key === undefined ? { collections } : sealDigests(collections, key);
  yield encodeFrame({ kind: 'end', end });
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
