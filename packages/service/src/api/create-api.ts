import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { buildEdge } from './build-edge.ts';
import type { Edge } from './edge.ts';
import { answerBrokenRequest, refuseTunnels } from './http/broken-request.ts';
import { boundedClosing } from './http/closing.ts';
import { boundConnections } from './http/connections.ts';
import { redirectPlainRequests } from './http/plain-requests.ts';
import { boundedServer } from './http/server.ts';
import type { ApiOptions, EdgeServices } from './options.ts';
import { type OwnRequest, type OwnResponse, respondWithin } from './own-requests.ts';
import { isTrustedProxy } from './receive.ts';
import { requestListener } from './request-listener.ts';

/** The HTTP layer and its server. */
export interface Api {
  readonly server: Server;
  /** Serves requests that a `RequestGate` forwards from another server. */
  readonly listener: RequestListener;
  /** Responds to a request of this process itself, without a connection. */
  request(request: OwnRequest): Promise<OwnResponse>;
  listen(address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Stops listening; resolves when all requests have ended. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP layer for a list of operations. It does not listen yet. Throws a TypeError for conflicting
 * operations.
 */
export function createApi<Services extends EdgeServices>(options: ApiOptions<Services>): Api {
  const { edge, beginToClose, close } = buildEdge(options as ApiOptions);
  const listener = requestListener(edge);
  const { machine } = options.services;
  const make = (listen: RequestListener) =>
    boundedServer({ limits: edge.limits, tls: options.tls, machine }, listen);
  const server = options.requestGate?.serverFor(make) ?? make(listener);
  const endConnections = boundServer(server, edge, options.tls !== undefined);
  async function end(): Promise<void> {
    beginToClose();
    endConnections();
    await new Promise((closed) => server.close(closed));
    close();
  }
  let ended: Promise<void> | undefined;
  return {
    server,
    listener,
    request: (request) => respondWithin(edge, request),
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, 'listening');
    },
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

/**
 * Makes the server respond to broken requests, tunnels and plain HTTP, and limits its connections. Returns a
 * function that must be called at shutdown.
 */
function boundServer(server: Server, edge: Edge, secure: boolean): () => void {
  const { limits, originOf, services } = edge;
  const { machine } = services;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    answerBrokenRequest(machine, error, socket as Socket),
  );
  if (secure) redirectPlainRequests(server, { limits, machine, originOf });
  refuseTunnels(server, machine);
  boundConnections(server, limits, (address) => isTrustedProxy(edge, address));
  return boundedClosing(server, limits, machine);
}
