import type { Log } from '@portolan/foundation/log';
import { EncodedJson } from '../control/channel.ts';
import type { RecordSource } from '../observe/records.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';
import type { RecordAnswer, RecordRequest } from './records-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './records-thread');

interface Waiting {
  resolve(answer: RecordAnswer): void;
  reject(error: Error): void;
}

/** Has what deployments have written read in a thread, which is there while somebody needs it. */
export class RecordReader {
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #thread: HostThread<RecordAnswer> | undefined;
  #lastId = 0;
  /** Transfers that are under way. */
  #transfers = 0;
  /** Whether anybody has asked since `endIfIdle` was called last. */
  #asked = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What a reader of `observe/records.ts` answers, encoded by the thread. */
  async value(call: string, of: RecordSource, args: readonly unknown[]): Promise<EncodedJson> {
    const answer = await this.#ask({ call, of, args });
    return new EncodedJson('json' in answer ? answer.json : 'null');
  }

  /** The text of one, piece by piece: none is read before the former one is taken. */
  async *bytes(
    call: string,
    of: RecordSource,
    args: readonly unknown[],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    this.#transfers++;
    try {
      const { id } = await this.#ask({ call, of, args });
      try {
        while (!signal.aborted) {
          const answer = await this.#ask({ more: id });
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

  /** Ends the thread when nobody has asked since the last time: it holds some 10 MB. */
  async endIfIdle(): Promise<void> {
    const asked = this.#asked || this.#waiting.size > 0 || this.#transfers > 0;
    this.#asked = false;
    if (!asked) await this.stop();
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
    this.#fail('the host ends');
  }

  async #ask(request: Unnumbered): Promise<RecordAnswer> {
    this.#asked = true;
    this.#thread ??= this.#start();
    const answer = await new Promise<RecordAnswer>((resolve, reject) => {
      this.#waiting.set(this.#post(request), { resolve, reject });
    });
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
          this.#waiting.get(answer.id)?.resolve(answer);
          this.#waiting.delete(answer.id);
        },
        gone: (reason) => {
          this.#thread = undefined;
          this.#log.error({ reason }, 'the thread that reads records has ended');
          this.#fail(reason);
        },
      },
    );
  }

  #fail(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(`records cannot be read: ${reason}`));
    this.#waiting.clear();
  }
}

type Unnumbered =
  | { readonly call: string; readonly of: RecordSource; readonly args: readonly unknown[] }
  | { readonly more: number }
  | { readonly drop: number };
