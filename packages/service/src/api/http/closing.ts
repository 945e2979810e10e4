import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Limits } from './limits.ts';

/** A request may be in transit when the server begins to close. */
const GRACE_MS = 1_000;

/** Set by Node on a socket from the headers of a request to the end of its response. */
interface Serving {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Returns the function to call when the server begins to close. Node then waits for every connection that is
 * not idle, and no longer applies its timeouts: neither to connections that never sent anything, nor to those
 * kept alive after a response. This closes the former at once and the latter after the response, those without
 * a complete request after one second, and all others after the timeout of a body.
 */
export function boundedClosing(
  server: Server,
  limits: Pick<Limits, 'bodyMs'>,
  machine: Pick<MachineClock, 'after'>,
): () => void {
  const open = kept(server, 'connection');
  const speaking = 'setSecureContext' in server ? kept(server, 'secureConnection') : open;
  function endIdle(): void {
    for (const socket of speaking) if (!(socket as Serving)._httpMessage) socket.destroy();
    // A TLS connection has one socket before the handshake, and another after it.
    const shaken = new Set([...speaking].map(endOf));
    for (const socket of open) if (!shaken.has(endOf(socket))) socket.destroy();
  }
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    for (const socket of speaking) endAfterAnswer(socket);
    server.once('close', machine.after(GRACE_MS, endIdle));
    const endAll = () => {
      for (const socket of open) socket.destroy();
    };
    server.once('close', machine.after(limits.bodyMs, endAll));
  };
}

function endAfterAnswer(socket: Socket & Serving): void {
  const answer = socket._httpMessage;
  if (!answer) return;
  answer.shouldKeepAlive = false;
  // The headers of the response may already be sent, without `Connection: close`.
  answer.once('finish', () => socket.end());
}

function kept(server: Server, event: 'connection' | 'secureConnection'): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
