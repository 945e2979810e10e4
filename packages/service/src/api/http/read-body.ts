import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { MachineClock } from '@portolan/foundation/clock';
import { generalFaults, protocolFault } from '../faults.ts';
import type { BodyRoom } from './body-room.ts';
import type { Limits } from './limits.ts';

const utf8 = () => new TextDecoder('utf-8', { fatal: true });

/** A body as the connection brings it. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  /** Absent where there is no body. */
  readonly stream: Readable | undefined;
  /** Tells a client that waits for leave to send the body to do so: `100 Continue`. */
  readonly proceed?: (() => void) | undefined;
}

/** How a body is read. */
export interface Reading {
  readonly limits: Pick<Limits, 'bodyBytes' | 'bodyMs'>;
  readonly machine: MachineClock;
  /** What is read is held here until whoever reads lets go of it. */
  readonly room: BodyRoom;
  /** Looks at each piece as it comes; what it throws ends the reading. */
  readonly look?: ((piece: Buffer) => void) | undefined;
}

const nothing = Buffer.alloc(0);

/**
 * Reads a body; empty where there is none. Throws 413 as soon as it is too large, 408 when it takes too long, 415 for one
 * that is compressed, 503 where there is no room for it.
 */
export async function readBody({ headers, stream, proceed }: Incoming, reading: Reading): Promise<Buffer> {
  if (stream === undefined) return nothing;
  checkCodings(headers);
  if (Number(headers['content-length'] ?? 0) > reading.limits.bodyBytes) throw tooLarge(reading.limits);
  proceed?.();
  return collect(stream, reading);
}

/** Throws `MALFORMED_JSON` for bytes that are no UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8().decode(bytes);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
}

function collect(source: Readable, { limits, machine, room, look }: Reading): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const gathered = new Gathered();
  let held = 0;
  const onData = (piece: Buffer) => {
    try {
      if (held + piece.length > limits.bodyBytes) throw tooLarge(limits);
      look?.(piece);
      room.hold(piece.length);
      held += piece.length;
      gathered.add(piece);
    } catch (error) {
      fail(error);
    }
  };
  const onEnd = () => {
    end();
    resolve(gathered.bytes());
  };
  // Whoever sent it is gone, so that nobody will read this.
  const onClose = () => fail(protocolFault(400, 'The body ended before it was complete.'));
  const stopWaiting = machine.after(limits.bodyMs, () => fail(tooSlow(limits)));
  function fail(error: unknown): void {
    end();
    room.letGo(held);
    reject(error);
  }
  function end(): void {
    stopWaiting();
    source.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    // What is still to come is let go; the server bounds how long.
    source.resume();
  }
  source.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  return promise;
}

/** Pieces put together as they come: a list of them would take a hundred bytes of heap for each byte sent as a chunk. */
class Gathered {
  /** The first piece itself, as long as it is the only one. */
  #bytes: Buffer = nothing;
  #size = 0;

  add(piece: Buffer): void {
    if (this.#size === 0) this.#bytes = piece;
    else {
      const size = this.#size + piece.length;
      if (size > this.#bytes.length) {
        const larger = Buffer.allocUnsafeSlow(2 * size);
        this.#bytes.copy(larger, 0, 0, this.#size);
        this.#bytes = larger;
      }
      piece.copy(this.#bytes, this.#size);
    }
    this.#size += piece.length;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}

/** Codings are not undone: a few kilobytes could become gigabytes. */
function checkCodings(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  if (!/^\s*(?:identity\s*)?$/i.test(content)) {
    throw protocolFault(
      415,
      `Bodies in the coding ${content} are not understood; send them as they are.`,
    ).with({ headers: { 'Accept-Encoding': 'identity' } });
  }
  if (!/^\s*chunked\s*$/i.test(transfer)) {
    throw protocolFault(501, `The transfer coding ${transfer} is not understood; send chunked alone.`);
  }
}

function tooLarge({ bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  return protocolFault(413, `The body is larger than ${bodyBytes} bytes.`);
}

function tooSlow({ bodyMs }: Pick<Limits, 'bodyMs'>) {
  const detail = `The body was not complete within ${bodyMs / 1000} seconds.`;
  return protocolFault(408, detail).with({ headers: { Connection: 'close' } });
}
