import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from './service.ts';

/**
 * Starts a proxy that serves services below a path, and returns its URL. Requests go to the services in turn. Requests
 * to other paths are forwarded unchanged, because test clients combine such paths with the host of the URL alone.
 */
export async function pathProxy(scope: Scope, path: string, targets: readonly string[]): Promise<string> {
  let turn = 0;
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const target = new URL(
      url.startsWith(`${path}/`) ? url.slice(path.length) : url,
      targets[turn++ % targets.length],
    );
    const forwarded = httpRequest(target, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}
