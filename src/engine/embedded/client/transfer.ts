import { Readable } from 'node:stream';
import type { MachineClock } from '../../../runtime/clock.ts';
import type { Bytes } from '../../call.ts';
import { type Channel, ChannelCut } from '../control/channel.ts';
import type { ControlReply } from '../control/protocol.ts';
import { CallTimedOut, ConnectionLost, EngineError } from './errors.ts';

/** As many bytes of a download are kept for a reader that is slower than they come. */
const READ_AHEAD_BYTES = 256 * 1024;

export interface CallLimit {
  readonly call: string;
  /** Machine milliseconds. */
  readonly limit: number;
  readonly clock: MachineClock;
}

/** A call whose result or last argument is bytes: it has a connection of its own, which ends with it. */
export class Transfer {
  readonly #channel: Channel;
  readonly #limit: CallLimit;

  constructor(channel: Channel, limit: CallLimit) {
    this.#channel = channel;
    this.#limit = limit;
  }

  /** Throws `ConnectionLost`, `CallTimedOut` or `EngineError`, also in the middle. */
  async *download(): AsyncGenerator<Uint8Array> {
    try {
      const bytes = this.#channel.bytes();
      for (;;) {
        const { value, done } = await withinLimit(bytes.next(), this.#limit);
        if (done) break;
        yield value;
      }
      resultOf(await withinLimit(this.#channel.line(), this.#limit));
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
      for await (const piece of bytes) {
        await withinLimit(this.#channel.writeBytes(piece), this.#limit);
        // Before it has taken everything, because it cannot: it drops what still comes, so writing never waits for it.
        if (answered) break;
      }
      if (!answered) this.#channel.endBytes();
      return resultOf(await withinLimit(answer, this.#limit));
    } catch (error) {
      throw lostOr(error);
    } finally {
      this.close();
    }
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

/** The answer, or the rejection with `CallTimedOut` when the limit has passed before it came. */
async function withinLimit<T>(answer: Promise<T>, callLimit: CallLimit): Promise<T> {
  const { limit, clock } = callLimit;
  if (limit === Number.POSITIVE_INFINITY) return answer;
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(limit, () => reject(timedOut(callLimit)));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}

export function timedOut({ call, limit }: CallLimit): CallTimedOut {
  return new CallTimedOut(`the engine host has not answered ${call} within ${limit} ms`);
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
