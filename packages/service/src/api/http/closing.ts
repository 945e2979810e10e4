import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Limits } from './limits.ts';

/** A request may be in transit when the server begins to close. The server waits this long for it. */
const GRACE_MS = 1_000;

/**
 * A socket while it serves a request. Node sets the field from the headers of the request to the end of its response.
 */
interface Serving {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Returns a function that must be called when the server begins to close. The function immediately closes the
 * connections that have not received any bytes. It closes a kept-alive connection after its response, and a connection
 * with an incomplete head after one second. It closes any other connection after the timeout of a body. Node itself
 * would wait without a limit for every connection that is not idle, even if the peer never sends anything.
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
  // Close the socket, since the headers of the response may already have been sent without `Connection: close`.
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
