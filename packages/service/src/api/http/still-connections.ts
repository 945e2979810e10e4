import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps a connection open while the service works on a request. No data is transferred meanwhile, and the request can
 * take longer than the timeout of connections without data. An example is a request that saves the state of many
 * clusters.
 */
export function keepWhileWorking(request: IncomingMessage, response: ServerResponse): void {
  // If there is a listener, Node does not close the connection itself.
  response.on('timeout', (socket: Socket) => {
    if (!request.complete || response.headersSent) socket.destroy();
  });
}
