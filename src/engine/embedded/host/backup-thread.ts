import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { CollectionDigest, SnapshotEnd } from '../../snapshot.ts';
import { type ArchiveRequest, readOplog } from '../backup/archive.ts';
import { type CopiedFolder, copyAll } from '../backup/copy-all.ts';
import { digestsOf } from '../backup/digests.ts';
import { resealCopy } from '../backup/reseal.ts';
import { type StageKeys, stageSnapshot } from '../backup/stage.ts';
import { type TakeRequest, takeSnapshot } from '../backup/take.ts';
import { resealLogs } from '../observe/sealed-lines.ts';
import { answer, answerFailure, type Piece, type PieceWanted, receivePieces } from './asked-thread.ts';
import { lowerPriority } from './low-priority.ts';

/** The thread that takes one snapshot, reads the oplog once, or writes a snapshot into a file: `backups.ts` starts it. */

export type BackupRequest =
  | { readonly digests: { readonly file: string; readonly key: Uint8Array | undefined } }
  | { readonly copyAll: readonly CopiedFolder[] }
  | { readonly take: TakeRequest }
  | { readonly archive: ArchiveRequest }
  | { readonly stage: StageKeys & { readonly file: string } }
  | { readonly reseal: StageKeys & { readonly file: string; readonly to: string; readonly logs: string } };

export type BackupInput = PieceWanted | Piece;

export type BackupOutput =
  | { readonly piece: Uint8Array }
  | PieceWanted
  | { readonly digests: readonly CollectionDigest[] }
  | { readonly done: SnapshotEnd | undefined };

function sendPieces(port: MessagePort, pieces: AsyncGenerator<Uint8Array> | Generator<Uint8Array>): void {
  const send = async (): Promise<BackupOutput> => {
    const { value, done } = await pieces.next();
    return done ? { done: undefined } : { piece: value };
  };
  port.on('message', () => void send().then(answer, answerFailure));
}

const request = workerData as BackupRequest;
if (parentPort !== null) {
  // While everything is copied others wait for it.
  if (!('copyAll' in request)) lowerPriority();
  if ('take' in request) sendPieces(parentPort, takeSnapshot(request.take));
  else if ('archive' in request) sendPieces(parentPort, readOplog(request.archive));
  else if ('digests' in request) {
    const { file, key } = request.digests;
    answer({ digests: digestsOf(file, key) } satisfies BackupOutput);
  } else if ('copyAll' in request) {
    const copied = copyAll(request.copyAll);
    copied.then(() => answer({ done: undefined } satisfies BackupOutput), answerFailure);
  } else if ('reseal' in request) {
    const { file, to, logs, ...keys } = request.reseal;
    resealLogs(logs, keys.from, keys.into);
    resealCopy(file, to, keys).then((done) => answer({ done } satisfies BackupOutput), answerFailure);
  } else {
    const { file, ...keys } = request.stage;
    const staged = stageSnapshot(file, receivePieces(parentPort), keys);
    staged.then((done) => answer({ done } satisfies BackupOutput), answerFailure);
  }
}
