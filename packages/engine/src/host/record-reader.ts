import { entryPoint } from '@portolan/foundation/entry-point';
import type { Log } from '@portolan/foundation/log';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import type { RecordSource } from '../observe/records.ts';
import { HostThread } from './host-thread.ts';
import type { RecordAnswer, RecordRequest } from './records-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './records-thread');

/** Reads the logs and samples of deployments in a separate thread. The thread starts when it is needed. */
export class RecordReader {
  readonly #log: Log;
  readonly #pending = new PendingReplies<number, RecordAnswer>();
  #thread: HostThread<RecordAnswer> | undefined;
  #lastId = 0;
  /** Number of transfers in progress. */
  #transfers = 0;
  /** True if the thread was used since the last call of `endIfIdle`. */
  #wasUsed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Calls a function of `observe/records.ts` and returns its result as JSON. */
  async value(call: string, of: RecordSource, args: readonly unknown[]): Promise<string> {
    const answer = await this.#send({ call, of, args });
    return 'json' in answer ? answer.json : 'null';
  }

  /**
   * Calls a function of `observe/records.ts` and yields its text in pieces. The next piece is read after the previous
   * piece has been consumed.
   */
  async *bytes(
    call: string,
    of: RecordSource,
    args: readonly unknown[],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    this.#transfers++;
    try {
      const { id } = await this.#send({ call, of, args });
      try {
        while (!signal.aborted) {
          const answer = await this.#send({ more: id });
          if (!('piece' in answer)) return;
          yield answer.piece;
        }
      } finally {
        this.#post({ drop: id });
      }
    } finally {
      this.#transfers--;
    }
  }

  /** Ends the thread, unless it was used since the last call. The thread takes about 10 MB. */
  async endIfIdle(): Promise<void> {
    const wasUsed = this.#wasUsed || this.#pending.size > 0 || this.#transfers > 0;
    this.#wasUsed = false;
    if (!wasUsed) await this.stop();
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
    this.#fail('the host ends');
  }

  async #send(request: Unnumbered): Promise<RecordAnswer> {
    this.#wasUsed = true;
    this.#thread ??= this.#start();
    const answer = await this.#pending.wait(this.#post(request));
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  #post(request: Unnumbered): number {
    const id = ++this.#lastId;
    this.#thread?.post({ id, ...request } satisfies RecordRequest);
    return id;
  }

  #start(): HostThread<RecordAnswer> {
    return new HostThread<RecordAnswer>(
      ENTRY,
      {},
      {
        message: (answer) => {
          this.#pending.resolve(answer.id, answer);
        },
        gone: (reason) => {
          this.#thread = undefined;
          this.#log.error({ reason }, 'record reader thread ended');
          this.#fail(reason);
        },
      },
    );
  }

  #fail(reason: string): void {
    this.#pending.rejectAll(() => new Error(`records cannot be read: ${reason}`));
  }
}

type Unnumbered =
  | { readonly call: string; readonly of: RecordSource; readonly args: readonly unknown[] }
  | { readonly more: number }
  | { readonly drop: number };
