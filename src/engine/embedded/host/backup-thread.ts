import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { SnapshotEnd } from '../../snapshot.ts';
import { stageSnapshot } from '../backup/stage.ts';
import { type TakeRequest, takeSnapshot } from '../backup/take.ts';
import { lowerPriority } from './low-priority.ts';

/** The thread that takes one snapshot, or writes one into a file: `backups.ts` starts it. */

export type BackupRequest = { readonly take: TakeRequest } | { readonly stage: { readonly file: string } };

/** To the thread: the next piece is wanted, or here it is; `end`: there is none. */
export type BackupInput = { readonly next: true } | { readonly piece: Uint8Array } | { readonly end: true };

export type BackupOutput =
  | { readonly piece: Uint8Array }
  | { readonly next: true }
  | { readonly done: SnapshotEnd | undefined }
  | { readonly error: string };

function sendPieces(port: MessagePort, pieces: AsyncGenerator<Uint8Array>): void {
  const send = async (): Promise<BackupOutput> => {
    const { value, done } = await pieces.next();
    return done ? { done: undefined } : { piece: value };
  };
  port.on('message', () => void send().then(post, fail));
}

/** Pieces as they come; each is asked for when the one before has been taken. */
async function* receivePieces(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (;;) {
    const answer = new Promise<BackupInput>((resolve) => port.once('message', resolve));
    post({ next: true });
    const input = await answer;
    if (!('piece' in input)) return;
    yield input.piece;
  }
}

const post = (output: BackupOutput) => parentPort?.postMessage(output);
const fail = (error: unknown) => post({ error: error instanceof Error ? error.message : String(error) });

lowerPriority();
const request = workerData as BackupRequest;
if (parentPort !== null) {
  if ('take' in request) sendPieces(parentPort, takeSnapshot(request.take));
  else stageSnapshot(request.stage.file, receivePieces(parentPort)).then((done) => post({ done }), fail);
}
