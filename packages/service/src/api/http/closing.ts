import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Limits } from './limits.ts';

/** A request may be on its way while the server begins to close. */
const GRACE_MS = 1_000;

/** What Node keeps on a socket from the headers of a request to the end of its answer. */
interface Serving {
  readonly _httpMessage?: ServerResponse | null;
}

/**
 * Answers what is to be called when the server begins to close. Node then waits for every connection that is not idle,
 * without looking at its time-outs any more: for one that never sent anything, and for one that is kept alive after its
 * answer. The former are closed at once, the latter with the answer, those without a whole request after a second, and
 * the last after as long as a body may take.
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
    // On a port with TLS a connection is one socket before the handshake, and another one within it.
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
  // Its headers may be on their way already, without a word of it.
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
