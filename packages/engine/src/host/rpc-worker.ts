import type { MessagePort, ResourceLimits, Transferable } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '@portolan/foundation/thrown';
import type { Bytes } from '../interface/call.ts';
import { HostThread } from './host-thread.ts';

/** The reply to a request that failed. */
type Failure = { readonly error: string };

/** A message to a thread that receives a stream. The thread requests each piece by the message `next`. */
export type Piece = { readonly piece: Uint8Array } | { readonly end: true };
export type PieceRequest = { readonly next: true };

/** A worker thread that receives one request at a time and replies to each. */
export class RpcWorker<I, O extends object> {
  readonly #thread: HostThread<O | Failure>;
  #waiting: PromiseWithResolvers<O | Failure> | undefined;
  /** A reply that arrived before `reply` was called. */
  #unreadReply: O | Failure | undefined;
  #ended: string | undefined;

  /** `file` is the entry point of the thread, and `data` becomes its `workerData`. */
  constructor(file: string, data: object, limits?: ResourceLimits) {
    const message = (output: O | Failure) => {
      if (this.#waiting === undefined) this.#unreadReply = output;
      this.#waiting?.resolve(output);
      this.#waiting = undefined;
    };
    const gone = (reason: string) => this.#fail(reason);
    this.#thread = new HostThread<O | Failure>(file, data, { message, gone }, limits);
  }

  /** True if the thread has ended, either unexpectedly or by `end`. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Sends a message that has no reply. The objects of `transfer` move to the thread. */
  send(input: I, transfer?: readonly Transferable[]): void {
    this.#thread.post(input, transfer);
  }

  request(input: I, transfer?: readonly Transferable[]): Promise<O> {
    this.send(input, transfer);
    return this.reply();
  }

  async reply(): Promise<O> {
    const output = this.#unreadReply ?? (await this.#next());
    this.#unreadReply = undefined;
    if ('error' in output) throw new Error(output.error);
    return output;
  }

  async end(reason: string): Promise<void> {
    this.#fail(reason);
    await this.#thread.end();
  }

  #next(): Promise<O | Failure> {
    if (this.#ended !== undefined) throw new Error(this.#ended);
    this.#waiting = Promise.withResolvers<O | Failure>();
    return this.#waiting.promise;
  }

  #fail(reason: string): void {
    this.#ended ??= reason;
    this.#waiting?.reject(new Error(this.#ended));
    this.#waiting = undefined;
  }
}

/**
 * Sends a piece whenever the thread requests one. Returns the reply of the thread. The thread may reply before it has
 * received all pieces.
 */
export async function fill<O extends object>(
  thread: RpcWorker<Piece, O | PieceRequest>,
  bytes: Bytes,
): Promise<O> {
  let wanted = await thread.reply();
  for await (const piece of bytes) {
    if (!('next' in wanted)) break;
    wanted = await thread.request({ piece }, memoryOf(piece));
  }
  const last = 'next' in wanted ? await thread.request({ end: true }) : wanted;
  if ('next' in last) throw new Error('the thread did not read the whole stream');
  return last;
}

/** The size from which Node.js gives a byte array a buffer of its own. Smaller arrays may share a buffer. */
const OWN_BYTES = 64 * 1024;

/**
 * Returns the transfer list of a message that contains these bytes. The list contains the buffer of the bytes, unless
 * other arrays use the same buffer. If a buffer were copied instead, the original would stay in the memory of this
 * thread until garbage collection.
 */
function memoryOf({ buffer, length }: Uint8Array): readonly Transferable[] {
  return buffer instanceof ArrayBuffer && length >= OWN_BYTES && buffer.byteLength === length ? [buffer] : [];
}

/** Called in the thread. Yields the pieces, and requests each after the previous one was consumed. */
export async function* receivePieces(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (;;) {
    const answer = new Promise<Piece>((resolve) => port.once('message', resolve));
    port.postMessage({ next: true } satisfies PieceRequest);
    const input = await answer;
    if (!('piece' in input)) return;
    yield input.piece;
  }
}

/** Called in the thread. Sends the reply to the current request. */
export function reply(output: object, transfer: readonly Transferable[] = []): void {
  parentPort?.postMessage(output, [...transfer]);
}

/** Called in the thread. Replies that the current request failed. */
export function replyFailure(error: unknown): void {
  reply({ error: errorMessage(error) } satisfies Failure);
}
