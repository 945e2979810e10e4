import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { encodeFrame } from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { copyFile } from './copy.ts';
import { digestsOf } from './digests.ts';
import { sealDigests } from './sealed-digests.ts';
import { writtenState } from './written.ts';

export interface TakeRequest {
  /** The directory of the cluster. */
  readonly directory: string;
  /** An empty folder for a copy of the file. The caller removes the folder. */
  readonly folder: string;
  /**
   * The hashes of the chunks that the receiver already has, and the state of its last snapshot. The new snapshot omits
   * the content of these chunks. If the state has not changed, the new snapshot consists of a single frame that says
   * so.
   */
  readonly known: readonly string[];
  /** Set if the file is encrypted: its key, both unwrapped and wrapped with the master key. */
  readonly encryption?: { readonly key: Uint8Array; readonly wrapped: WrappedKey } | undefined;
}

/**
 * At this compression level, compressing is about as fast as reading from disk. Higher levels take twice as long to
 * save another 10 %.
 */
const packing = { chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Yields a snapshot of a cluster as frames. Reads from a copy of the file, which needs as much disk space as the file.
 * If this function read the file itself, a slow receiver would prevent the WAL from restarting, and the WAL would grow.
 */
export async function* takeSnapshot(request: TakeRequest): AsyncGenerator<Uint8Array> {
  const file = join(request.directory, FILE_NAME);
  // Read the state before the copy is made. A write in between then counts as later than the snapshot.
  const state = stateOf(file, request);
  if (request.known.includes(state)) {
    yield encodeFrame({ kind: 'same' });
    return;
  }
  yield* framesOfCopy(file, request, state);
}

/**
 * Returns the state of the file. The state includes the master key, so that a rotation of the key leads to a new
 * snapshot although the file is unchanged.
 */
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
    // The file may contain the same chunk again, and its content must be sent only once.
    known.add(name);
  }
}
