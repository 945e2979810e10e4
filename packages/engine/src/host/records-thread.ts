import { parentPort } from 'node:worker_threads';
import { errorMessage } from '@portolan/foundation/thrown';
import { newestWritten, type RecordSource, records } from '../observe/records.ts';

/** This file is the thread that reads logs and samples for `record-reader.ts`. */

/**
 * The functions that read records, by name. A function returns either a value, which is sent as JSON, or an iterable of
 * texts, which is sent in pieces.
 */
const readers = { ...records, newestWritten };

export type RecordRequest =
  | {
      readonly id: number;
      readonly call: string;
      readonly of: RecordSource;
      readonly args: readonly unknown[];
    }
  /** Requests the next piece of a text. `more` is the id of the request that opened the text. */
  | { readonly id: number; readonly more: number }
  /** Ends reading a text. There is no reply. */
  | { readonly id: number; readonly drop: number };

export type RecordAnswer = { readonly id: number } & (
  | { readonly json: string }
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly opened: true }
  | { readonly done: true }
  | { readonly error: string }
);

const PIECE_BYTES = 256 * 1024;

const open = new Map<number, Iterator<string>>();

function answerTo(request: RecordRequest): RecordAnswer | undefined {
  const { id } = request;
  if ('drop' in request) {
    open.get(request.drop)?.return?.();
    open.delete(request.drop);
    return undefined;
  }
  if ('more' in request) return { id, ...nextPiece(request.more) };
  const read = Object.entries(readers).find(([name]) => name === request.call)?.[1] as Reader | undefined;
  const result = read?.(request.of, ...request.args);
  if (
    typeof result !== 'object' ||
    result === null ||
    !(Symbol.iterator in result) ||
    Array.isArray(result)
  ) {
    return { id, json: JSON.stringify(result) ?? 'null' };
  }
  open.set(id, (result as Iterable<string>)[Symbol.iterator]());
  return { id, opened: true };
}

type Reader = (of: RecordSource, ...args: readonly unknown[]) => unknown;

function nextPiece(opened: number): { readonly piece: Uint8Array<ArrayBuffer> } | { readonly done: true } {
  const texts = open.get(opened);
  let piece = '';
  while (texts !== undefined && piece.length < PIECE_BYTES) {
    const { value, done } = texts.next();
    if (done) break;
    piece += value;
  }
  if (piece !== '') return { piece: new TextEncoder().encode(piece) };
  open.delete(opened);
  return { done: true };
}

parentPort?.on('message', (request: RecordRequest) => {
  let answer: RecordAnswer | undefined;
  try {
    answer = answerTo(request);
  } catch (error) {
    answer = { id: request.id, error: errorMessage(error) };
  }
  if (answer !== undefined) parentPort?.postMessage(answer);
});
