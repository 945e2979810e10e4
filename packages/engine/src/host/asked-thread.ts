import type { MessagePort, Transferable } from 'node:worker_threads';
import { parentPort } from 'node:worker_threads';
import type { Bytes } from '../interface/call.ts';
import { HostThread } from './host-thread.ts';

/** What a thread answers that is not what was asked for. */
type Failure = { readonly error: string };

/** To a thread that takes pieces, which says `next` for each: here it is, or there is none. */
export type Piece = { readonly piece: Uint8Array } | { readonly end: true };
export type PieceWanted = { readonly next: true };

/** A thread that is asked one question at a time, and gives one answer to each. */
export class AskedThread<I, O extends object> {
  readonly #thread: HostThread<O | Failure>;
  #waiting: PromiseWithResolvers<O | Failure> | undefined;
  /** An answer that nobody waits for yet. */
  #unread: O | Failure | undefined;
  #ended: string | undefined;

  /** `file` is the thread's entry point; `data` what it reads as `workerData`. */
  constructor(file: string, data: object) {
    this.#thread = new HostThread<O | Failure>(file, data, {
      message: (output) => {
        if (this.#waiting === undefined) this.#unread = output;
        this.#waiting?.resolve(output);
        this.#waiting = undefined;
      },
      gone: (reason) => this.#fail(reason),
    });
  }

  /** Whether it has ended, by itself or as it was told to. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Without waiting for an answer. */
  tell(input: I): void {
    this.#thread.post(input);
  }

  ask(input: I): Promise<O> {
    this.tell(input);
    return this.answer();
  }

  async answer(): Promise<O> {
    const output = this.#unread ?? (await this.#next());
    this.#unread = undefined;
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

/** Hands pieces to a thread as it wants them; answers what it says when it has all, or wants no more. */
export async function fill<O extends object>(
  thread: AskedThread<Piece, O | PieceWanted>,
  bytes: Bytes,
): Promise<O> {
  let wanted = await thread.answer();
  for await (const piece of bytes) {
    if (!('next' in wanted)) break;
    wanted = await thread.ask({ piece });
  }
  const last = 'next' in wanted ? await thread.ask({ end: true }) : wanted;
  if ('next' in last) throw new Error('the thread has not taken everything');
  return last;
}

/** In the thread: pieces as they come; each is asked for when the one before has been taken. */
export async function* receivePieces(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (;;) {
    const answer = new Promise<Piece>((resolve) => port.once('message', resolve));
    port.postMessage({ next: true } satisfies PieceWanted);
    const input = await answer;
    if (!('piece' in input)) return;
    yield input.piece;
  }
}

/** In the thread. */
export function answer(output: object, transfer: readonly Transferable[] = []): void {
  parentPort?.postMessage(output, [...transfer]);
}

/** In the thread: the answer to a question that could not be answered. */
export function answerFailure(error: unknown): void {
  answer({ error: error instanceof Error ? error.message : String(error) } satisfies Failure);
}
