import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { MachineClock } from '@portolan/foundation/clock';
import { generalFaults, protocolFault } from '../faults.ts';
import { type BodyBudget, SMALL_BYTES } from './body-budget.ts';
import type { Limits } from './limits.ts';

const utf8 = () => new TextDecoder('utf-8', { fatal: true });

/** A body as received from a connection. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  /** The stream of the body; absent if there is no body. */
  readonly stream: Readable | undefined;
  /** Sends `100 Continue` to a client that expects it. */
  readonly proceed?: (() => void) | undefined;
}

/** Limits and hooks for reading a body. */
export interface Reading {
  readonly limits: Pick<Limits, 'bodyBytes' | 'bodyMs'>;
  readonly machine: MachineClock;
  /** Reserves space for the bytes read. The caller of `readBody` releases it. */
  readonly budget: BodyBudget;
  /** Whose part of the budget the bytes take. */
  readonly owner: string;
  /** Called for each chunk; an error ends the reading. */
  readonly look?: ((piece: Buffer) => void) | undefined;
}

const nothing = Buffer.alloc(0);

/**
 * Reads a body. Returns empty bytes if there is none. Throws 413 as soon as the body is too large, 408 on
 * timeout, 415 if the body is compressed, 501 for an unknown transfer coding, and 503 if the budget is
 * exhausted.
 */
export async function readBody({ headers, stream, proceed }: Incoming, reading: Reading): Promise<Buffer> {
  if (stream === undefined) return nothing;
  checkCodings(headers);
  if (Number(headers['content-length'] ?? 0) > reading.limits.bodyBytes) throw tooLarge(reading.limits);
  proceed?.();
  return collect(stream, reading);
}

/** Decodes UTF-8; throws `MALFORMED_JSON` for invalid bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return utf8().decode(bytes);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
}

function collect(source: Readable, { limits, machine, budget, owner, look }: Reading): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const gathered = new Gathered();
  let held = 0;
  const onData = (piece: Buffer) => {
    try {
      if (held + piece.length > limits.bodyBytes) throw tooLarge(limits);
      look?.(piece);
      budget.reserve(piece.length, owner, held + piece.length <= SMALL_BYTES);
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
  // Reject the promise of the body. The client has disconnected, so it does not receive this error.
  const onClose = () => fail(protocolFault(400, 'The body ended before it was complete.'));
  const stopWaiting = machine.after(limits.bodyMs, () => fail(tooSlow(limits)));
  function fail(error: unknown): void {
    end();
    budget.release(held, owner);
    reject(error);
  }
  function end(): void {
    stopWaiting();
    source.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    // Discard the rest of the body. The server limits how long this may take.
    source.resume();
  }
  source.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  return promise;
}

/**
 * Concatenates chunks as they arrive. A list of the chunks would use 100 bytes of heap for each, even if a chunk has
 * only one byte.
 */
class Gathered {
  /** A single chunk is not copied. The buffer is allocated when a second chunk arrives. */
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

const identity = /^\s*(?:identity\s*)?$/i;
const chunked = /^\s*chunked\s*$/i;

/** Whether a body has an unsupported coding. Such a body is never read. */
export function isCoded(headers: IncomingHttpHeaders): boolean {
  const { content, transfer } = codingsOf(headers);
  return !identity.test(content) || !chunked.test(transfer);
}

function codingsOf(headers: IncomingHttpHeaders): { content: string; transfer: string } {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  return { content, transfer };
}

/**
 * Throws for a body with an unsupported coding. Compressed bodies are not decoded, because a few kilobytes could expand
 * to gigabytes.
 */
function checkCodings(headers: IncomingHttpHeaders): void {
  const { content, transfer } = codingsOf(headers);
  if (!identity.test(content)) {
    throw protocolFault(
      415,
      `Bodies in the coding ${content} are not supported; send them uncompressed.`,
    ).with({ headers: { 'Accept-Encoding': 'identity' } });
  }
  if (!chunked.test(transfer)) {
    throw protocolFault(501, `The transfer coding ${transfer} is not supported; use chunked only.`);
  }
}

function tooLarge({ bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  return protocolFault(413, `The body is larger than ${bodyBytes} bytes.`);
}

function tooSlow({ bodyMs }: Pick<Limits, 'bodyMs'>) {
  const detail = `The body was not complete within ${bodyMs / 1000} seconds.`;
  return protocolFault(408, detail).with({ headers: { Connection: 'close' } });
}
