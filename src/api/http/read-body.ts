import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { MachineClock } from '../../runtime/clock.ts';
import { generalFaults, protocolFault } from '../faults.ts';
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

/**
 * Reads a body as text; empty where there is none. Throws 413 as soon as it is too large, 408 when it takes too long,
 * 415 for one that is compressed and `MALFORMED_JSON` when it is not UTF-8.
 */
export async function readBody(
  { headers, stream, proceed }: Incoming,
  limits: Pick<Limits, 'bodyBytes' | 'bodyMs'>,
  machine: MachineClock,
): Promise<string> {
  if (stream === undefined) return '';
  checkCodings(headers);
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) throw tooLarge(limits);
  proceed?.();
  const bytes = await collect(stream, limits, machine);
  try {
    return utf8().decode(bytes);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
}

function collect(source: Readable, limits: Pick<Limits, 'bodyBytes' | 'bodyMs'>, machine: MachineClock) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limits.bodyBytes) end(() => reject(tooLarge(limits)));
  };
  const onEnd = () => end(() => resolve(Buffer.concat(chunks)));
  // Whoever sent it is gone, so that nobody will read this.
  const onClose = () => end(() => reject(protocolFault(400, 'The body ended before it was complete.')));
  const stopWaiting = machine.after(limits.bodyMs, () => end(() => reject(tooSlow(limits))));
  function end(settle: () => void): void {
    stopWaiting();
    source.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    // What is still to come is let go; the server bounds how long.
    source.resume();
    settle();
  }
  source.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  return promise;
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
