import { Readable } from 'node:stream';
import type { MachineClock } from '@portolan/foundation/clock';
import { type Channel, ChannelCut } from '../control/channel.ts';
import type { ControlReply } from '../control/protocol.ts';
import type { Bytes } from '../interface/call.ts';
import { CallTimedOut, ConnectionLost, EngineError } from './errors.ts';

/** As many bytes of a download are kept for a reader that is slower than they come. */
const READ_AHEAD_BYTES = 256 * 1024;

export interface CallTimeout {
  readonly call: string;
  /** Machine milliseconds. */
  readonly timeoutMs: number;
  readonly clock: MachineClock;
}

/** A call whose result or last argument is bytes: it has a connection of its own, which ends with it. */
export class Transfer {
  readonly #channel: Channel;
  readonly #timeout: CallTimeout;

  constructor(channel: Channel, timeout: CallTimeout) {
    this.#channel = channel;
    this.#timeout = timeout;
  }

  /** Throws `ConnectionLost`, `CallTimedOut` or `EngineError`, also in the middle. */
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

  /** Resolves with the answer of the host. When `bytes` fails, the host sees the connection cut. */
  async upload(bytes: Bytes): Promise<unknown> {
    let answered = false;
    const answer = this.#channel.line().finally(() => {
      answered = true;
    });
    answer.catch(() => {});
    try {
      await this.#write(bytes, () => answered).catch((error: unknown) => {
        // Whoever refuses it ends the connection, and so the writing; the answer came before that, if there is one.
        if (!(error instanceof ChannelCut)) throw error;
      });
      return resultOf(await withTimeout(answer, this.#timeout));
    } catch (error) {
      throw lostOr(error);
    } finally {
      this.close();
    }
  }

  /** All of it, unless an answer comes before: the host drops what still comes, so writing never waits for it. */
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

/** A stream of what a download brings. Destroying it cuts the connection, by which the host notices. */
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

/** The answer, or the rejection with `CallTimedOut` when its time has passed before it came. */
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
  return error instanceof ChannelCut
    ? new ConnectionLost('the engine host ended in the middle of a transfer')
    : error;
}
