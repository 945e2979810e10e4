import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { networkOf } from '../../access/index.ts';
import type { Limits } from './limits.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

type Bounds = Pick<Limits, 'connections' | 'connectionsFromLoopback' | 'connectionsPerAddress'>;

/**
 * Limits the number of connections in total and per network (`networkOf`). Closes connections beyond a limit
 * at once, before the TLS handshake. `isUnbounded` exempts the addresses of proxies from the limit per
 * network, but not from the total.
 */
export function boundConnections(
  server: Server,
  limits: Bounds,
  isUnbounded: (address: string) => boolean,
): void {
  let all = 0;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    if (++all > limits.connections) socket.destroy();
    socket.once('close', () => all--);
    const address = socket.remoteAddress;
    if (socket.destroyed || address === undefined || isUnbounded(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    const own = isLoopback(address) ? limits.connectionsFromLoopback : limits.connectionsPerAddress;
    if (count > Math.min(own, limits.connections / 2)) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
