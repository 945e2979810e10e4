import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Limits } from './limits.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

type Bounds = Pick<Limits, 'connectionsPerAddress' | 'connectionsFromLoopback'>;

/**
 * Bounds how many connections one address holds open; one more is closed at once, before it costs a handshake.
 * `isUnbounded` tells the addresses behind which many callers stand.
 */
export function boundConnections(
  server: Server,
  limits: Bounds,
  isUnbounded: (address: string) => boolean,
): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isUnbounded(address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > (isLoopback(address) ? limits.connectionsFromLoopback : limits.connectionsPerAddress)) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
