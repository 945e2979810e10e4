import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Service } from './service.ts';

/** Opens a raw connection to a service. */
export async function openSocket(service: Service | undefined): Promise<TLSSocket> {
  const socket = connect({ ...addressOf(service), ca: service?.authority ?? '' });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return socket;
}

/** Opens a connection that never starts the TLS handshake. */
export async function openPlainSocket(service: Service | undefined): Promise<Socket> {
  const socket = connectPlain(addressOf(service));
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

function addressOf(service: Service | undefined): { host: string; port: number } {
  const { hostname, port } = new URL(service?.bootstrap.url ?? '');
  return { host: hostname, port: Number(port) };
}

/** Returns everything received until the other side closes the connection. */
export async function everythingFrom(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, 'close');
  return text;
}
