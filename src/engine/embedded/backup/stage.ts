import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { framesOf, type SnapshotEnd } from '../../snapshot.ts';
import { reseal } from '../storage/sealed-database.ts';
import { CHUNK_BYTES } from './chunks.ts';
import { digestsOf } from './digests.ts';
import { unsealDigests } from './sealed-digests.ts';

/** Of the file that comes, and of the one that is made of it; none: it is in clear. */
export interface StageKeys {
  readonly from?: Uint8Array | undefined;
  readonly into?: Uint8Array | undefined;
}

/**
 * Writes a snapshot into a file and proves that it holds what the snapshot held; answers what that is. Throws where it
 * does not.
 */
export async function stageSnapshot(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  { from, into }: StageKeys,
): Promise<SnapshotEnd> {
  const end = await writeChunks(file, bytes);
  const collections = from === undefined ? end.collections : unsealDigests(end, from);
  if (!isDeepStrictEqual(from, into)) reseal(file, from, into);
  if (!isDeepStrictEqual(digestsOf(file, into), collections))
    throw new Error('what was restored differs from what the snapshot held');
  return { collections };
}

async function writeChunks(path: string, bytes: AsyncIterable<Uint8Array>): Promise<SnapshotEnd> {
  const file = openSync(path, 'wx', 0o600);
  try {
    let expected = 0;
    let written = 0;
    for await (const frame of framesOf(bytes)) {
      if (frame.kind === 'head') expected = frame.head.bytes;
      else if (frame.kind === 'chunk') written += writeWhole(file, unpack(frame), written);
      else if (frame.kind === 'known' || frame.kind === 'same')
        throw new Error('a chunk of the snapshot has no content');
      else {
        if (written !== expected) throw new Error(`the snapshot has ${written} of ${expected} bytes`);
        fsyncSync(file);
        return frame.end;
      }
    }
    throw new Error('the snapshot has no end');
  } finally {
    closeSync(file);
  }
}

function unpack({ content, hash: name }: { content: Uint8Array; hash: string }): Uint8Array {
  const chunk = zstdDecompressSync(content, { maxOutputLength: CHUNK_BYTES });
  if (hash('sha256', chunk, 'hex') !== name) throw new Error(`chunk ${name} is damaged`);
  return chunk;
}

function writeWhole(file: number, bytes: Uint8Array, at: number): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, at + done);
  return done;
}
