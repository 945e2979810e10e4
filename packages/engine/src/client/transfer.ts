import { Readable } from 'node:stream';
import type { MachineClock } from '@portolan/foundation/clock';
import { type Channel, ChannelCut } from '../control/channel.ts';
import type { ControlReply } from '../control/protocol.ts';
import type { Bytes } from '../interface/call.ts';
import { CallTimedOut, ConnectionLost, EngineError } from './errors.ts';

/** Number of bytes of a download that are buffered if the reader is slower than the host. */
const READ_AHEAD_BYTES = 256 * 1024;

export interface CallTimeout {
  readonly call: string;
  /** The time limit, in milliseconds of machine time. */
  readonly timeoutMs: number;
  readonly clock: MachineClock;
}

/** A call that sends or returns a byte stream, on a connection of its own. */
export class Transfer {
  readonly #channel: Channel;
  readonly #timeout: CallTimeout;

  constructor(channel: Channel, timeout: CallTimeout) {
    this.#channel = channel;
    this.#timeout = timeout;
  }

  /**
   * Yields the bytes. Throws `ConnectionLost`, `CallTimedOut` or `EngineError`, possibly after some bytes were yielded.
   */
  async *download(): AsyncGenerator<Uint8Array> {
    try {
      const bytes = this.#channel.bytes();
      for (;;) {
        const { value, done } = await withTimeout(bytes.next(), this.#timeout);
        if (done) break;
        yield value;
      }
      resultOf(await withTimeout(this.#channel.line(), this.#timeout));
    } catch (error) {
      throw lostOr(error);
    } finally {
      this.close();
    }
  }

  /**
   * Sends the bytes and resolves to the host's reply. If `bytes` fails or `signal` is aborted, destroys the
   * connection, so that the host discards the upload.
   */
  async upload(bytes: Bytes, signal?: AbortSignal): Promise<unknown> {
    const cut = () => this.close();
    signal?.addEventListener('abort', cut);
    let answered = false;
    const answer = this.#channel.line().finally(() => {
      answered = true;
    });
    answer.catch(() => {});
    try {
      signal?.throwIfAborted();
      await this.#write(bytes, () => answered).catch((error: unknown) => {
        // A host that rejects the upload closes the connection after its reply, so it may still be possible
        // to read the reply.
        if (!(error instanceof ChannelCut)) throw error;
      });
      return resultOf(await withTimeout(answer, this.#timeout));
    } catch (error) {
      throw signal?.aborted ? signal.reason : lostOr(error);
    } finally {
      signal?.removeEventListener('abort', cut);
      this.close();
    }
  }

  /** Writes bytes until a reply arrives. A host that has replied discards further bytes, so writing does not block. */
  async #write(bytes: Bytes, isAnswered: () => boolean): Promise<void> {
    for await (const piece of bytes) {
      await withTimeout(this.#channel.writeBytes(piece), this.#timeout);
      if (isAnswered()) return;
    }
    if (!isAnswered()) this.#channel.endBytes();
  }

  close(): void {
    this.#channel.close();
  }
}

/**
 * Returns a download as a stream. If the stream is destroyed, the connection is destroyed as well, so that
 * the host stops sending.
 */
export function readableOf(open: () => Promise<Transfer>): Readable {
  let transfer: Transfer | undefined;
  let bytes: AsyncGenerator<Uint8Array> | undefined;
  return new Readable({
    highWaterMark: READ_AHEAD_BYTES,
    construct(done) {
      open().then((opened) => {
        transfer = opened;
        bytes = opened.download();
        done();
      }, done);
    },
    read() {
      bytes?.next().then(
        ({ value, done }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      transfer?.close();
      done(error);
    },
  });
}

/** Resolves to the reply, or rejects with `CallTimedOut`. */
async function withTimeout<T>(answer: Promise<T>, timeout: CallTimeout): Promise<T> {
  const { timeoutMs, clock } = timeout;
  if (timeoutMs === Number.POSITIVE_INFINITY) return answer;
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutMs, () => reject(timedOut(timeout)));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}

export function timedOut({ call, timeoutMs }: CallTimeout): CallTimedOut {
  return new CallTimedOut(`the engine host has not answered ${call} within ${timeoutMs} ms`);
}

function resultOf(line: unknown): unknown {
  const reply = line as ControlReply | undefined;
  if (reply === undefined) throw new ChannelCut();
  if ('error' in reply) throw new EngineError(reply.error);
  return reply.result ?? undefined;
}

function lostOr(error: unknown): unknown {
  return error instanceof ChannelCut ? new ConnectionLost('the engine host ended during a transfer') : error;
}
