import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { freeMemory } from '@portolan/foundation/free-memory';
import { framesOf, type Replay, type SnapshotEnd, type SnapshotFrame } from '../interface/snapshot.ts';
import { reseal } from '../storage/file/sealed-database.ts';
import { newestMark } from './archive.ts';
import { unpackChunk } from './chunks.ts';
import { digestsOf } from './digests.ts';
import type { Replaying } from './replay/replay.ts';
import { unsealDigests } from './sealed-digests.ts';

/** The keys of the snapshot's file and of the restored file. An undefined key means that the file is not encrypted. */
export interface StageKeys {
  readonly from?: Uint8Array | undefined;
  readonly into?: Uint8Array | undefined;
  /** The keys of encrypted oplog segments. */
  readonly oplog?: readonly Uint8Array[];
}

/**
 * Restores a snapshot to a file. Throws if the digests of the restored collections differ from the digests in the
 * snapshot. Then replays the oplog that follows the snapshot. Returns the digests of the resulting collections.
 */
export async function stageSnapshot(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  keys: StageKeys,
): Promise<SnapshotEnd> {
  const { from, into } = keys;
  const frames = framesOf(bytes);
  const { end, replay } = await writeChunks(file, frames);
  const collections = from === undefined ? end.collections : unsealDigests(end, from);
  if (!isDeepStrictEqual(from, into)) reseal(file, from, into);
  if (!isDeepStrictEqual(digestsOf(file, into), collections))
    throw new Error('the restored data differ from the snapshot');
  return replay === undefined ? { collections } : replayed({ file, replay, keys }, frames);
}

async function replayed(
  { file, replay, keys }: { readonly file: string; readonly replay: Replay; readonly keys: StageKeys },
  frames: AsyncGenerator<SnapshotFrame>,
): Promise<SnapshotEnd> {
  // Load the replay only if it is needed. It loads the query language, and this takes a long time. Most snapshots have
  // no oplog to replay.
  const { Replaying: Replayer } = await import('./replay/replay.ts');
  const replaying = new Replayer(file, replay, newestMark(file, keys.into), keys);
  try {
    await replayFrames(replaying, frames);
  } finally {
    replaying.close();
  }
  sync(file);
  return { collections: digestsOf(file, keys.into) };
}

async function replayFrames(replaying: Replaying, frames: AsyncGenerator<SnapshotFrame>): Promise<void> {
  for await (const frame of frames) {
    if (frame.kind === 'oplog') replaying.add(frame);
    else if (frame.kind !== 'replayed') throw new Error(`unexpected frame in an oplog: ${frame.kind}`);
    else {
      replaying.finish(frame.to);
      return;
    }
  }
  throw new Error('the oplog is truncated');
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

interface Written {
  readonly end: SnapshotEnd;
  readonly replay: Replay | undefined;
}

/** Writes the chunks to a file and consumes the frames up to the end of the snapshot. */
async function writeChunks(path: string, frames: AsyncGenerator<SnapshotFrame>): Promise<Written> {
  const file = openSync(path, 'wx', 0o600);
  try {
    let expected = 0;
    let written = 0;
    let replay: Replay | undefined;
    for (let next = await frames.next(); !next.done; next = await frames.next()) {
      const frame = next.value;
      if (frame.kind === 'head') {
        expected = frame.head.bytes;
        replay = frame.head.replay;
      } else if (frame.kind === 'chunk')
        written += writeChunk(file, unpackChunk(frame.content, frame.hash), written);
      else if (frame.kind === 'known' || frame.kind === 'same')
        throw new Error('a chunk of the snapshot has no content');
      else if (frame.kind !== 'end') throw new Error(`unexpected frame in a snapshot: ${frame.kind}`);
      else {
        if (written !== expected) throw new Error(`the snapshot has ${written} of ${expected} bytes`);
        fsyncSync(file);
        return { end: frame.end, replay };
      }
    }
    throw new Error('the snapshot is truncated');
  } finally {
    closeSync(file);
  }
}

function writeChunk(file: number, bytes: Uint8Array, at: number): number {
  const written = writeWhole(file, bytes, at);
  freeMemory(bytes);
  return written;
}

function writeWhole(file: number, bytes: Uint8Array, at: number): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, at + done);
  return done;
}
