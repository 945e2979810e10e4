import type { Readable } from 'node:stream';
import type { MachineClock } from '../../runtime/clock.ts';
import { generalFaults, protocolFault } from '../faults.ts';
import type { Limits } from './limits.ts';

const utf8 = () => new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as text. Throws 413 as soon as it is too large, 408 when it takes too long and `MALFORMED_JSON` when
 * it is not UTF-8.
 */
export async function readBody(
  source: Readable,
  announcedBytes: number,
  limits: Pick<Limits, 'bodyBytes' | 'bodyMs'>,
  machine: MachineClock,
): Promise<string> {
  if (announcedBytes > limits.bodyBytes) throw tooLarge(limits);
  const bytes = await collect(source, limits, machine);
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

function tooLarge({ bodyBytes }: Pick<Limits, 'bodyBytes'>) {
  return protocolFault(413, `The body is larger than ${bodyBytes} bytes.`);
}

function tooSlow({ bodyMs }: Pick<Limits, 'bodyMs'>) {
  const detail = `The body was not complete within ${bodyMs / 1000} seconds.`;
  return protocolFault(408, detail).with({ headers: { Connection: 'close' } });
}
