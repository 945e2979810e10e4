import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type ArchiveRequest, readOplog } from '../backup/archive.ts';
import { type CopiedFolder, FolderCopies } from '../backup/copy-all.ts';
import { digestsOf } from '../backup/digests.ts';
import { resealCopy } from '../backup/reseal.ts';
import { type StageKeys, stageSnapshot } from '../backup/stage.ts';
import { type TakeRequest, takeSnapshot } from '../backup/take.ts';
import type { CollectionDigest, SnapshotEnd } from '../interface/snapshot.ts';
import { resealLogs } from '../observe/line-codec.ts';
import { lowerPriority } from './low-priority.ts';
import { type Piece, type PieceRequest, receivePieces, reply, replyFailure } from './rpc-worker.ts';

/**
 * This file is the thread that takes snapshots, reads oplogs and writes snapshots to files. `backups.ts` sends it one
 * request at a time.
 */

export type BackupRequest =
  | { readonly digests: { readonly file: string; readonly key: Uint8Array | undefined } }
  | { readonly copyAll: readonly CopiedFolder[] }
  | { readonly take: TakeRequest }
  | { readonly archive: ArchiveRequest }
  | { readonly stage: StageKeys & { readonly file: string } }
  | { readonly reseal: StageKeys & { readonly file: string; readonly to: string; readonly logs: string } };

interface Begin {
  readonly begin: true;
}

export type BackupInput = BackupRequest | PieceRequest | Piece | Begin;

export type BackupOutput =
  | { readonly piece: Uint8Array }
  | PieceRequest
  /** The reply to `copyAll` when the files are open. */
  | { readonly prepared: true }
  | { readonly begun: boolean }
  | { readonly digests: readonly CollectionDigest[] }
  | { readonly done: SnapshotEnd | undefined };

type Pieces = AsyncGenerator<Uint8Array> | Generator<Uint8Array>;

/** The frames of the current snapshot or oplog. */
let pieces: Pieces | undefined;

async function nextPiece(): Promise<BackupOutput> {
  const next = await pieces?.next();
  return next === undefined || next.done ? { done: undefined } : { piece: next.value };
}

/** Runs a request. If the result is a stream, this only opens the stream, and `next` requests each piece. */
async function done(request: BackupRequest, port: MessagePort): Promise<BackupOutput | undefined> {
  if ('take' in request) pieces = takeSnapshot(request.take);
  else if ('archive' in request) pieces = readOplog(request.archive);
  else if ('digests' in request) return { digests: digestsOf(request.digests.file, request.digests.key) };
  else if ('copyAll' in request) {
    await copyAll(request.copyAll, port);
    return { done: undefined };
  } else if ('reseal' in request) {
    const { file, to, logs, ...keys } = request.reseal;
    resealLogs(logs, keys.from, keys.into);
    return { done: await resealCopy(file, to, keys) };
  } else {
    const { file, ...keys } = request.stage;
    return { done: await stageSnapshot(file, receivePieces(port), keys) };
  }
  return undefined;
}

/** Replies when the files are open. Then replies to each `begin`, until the copies have begun. */
async function copyAll(folders: readonly CopiedFolder[], port: MessagePort): Promise<void> {
  const copies = new FolderCopies(folders);
  try {
    reply({ prepared: true } satisfies BackupOutput);
    for (let begun = false; !begun; ) {
      await once(port, 'message');
      begun = copies.begin();
      reply({ begun } satisfies BackupOutput);
    }
    await copies.copy();
  } finally {
    copies.close();
  }
}

function answered(output: BackupOutput | undefined): void {
  if (output !== undefined) reply(output);
}

function takeRequests(port: MessagePort): void {
  port.on('message', (input: BackupInput) => {
    // Other functions receive these messages: `receivePieces` and `copyAll`.
    if ('piece' in input || 'end' in input || 'begin' in input) return;
    if ('next' in input) {
      nextPiece().then(reply, replyFailure);
      return;
    }
    // Do not lower the priority for `copyAll`, because clusters wait for it.
    if (!('copyAll' in input)) lowerPriority();
    done(input, port).then(answered, replyFailure);
  });
}

if (parentPort !== null) takeRequests(parentPort);
