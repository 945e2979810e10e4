import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type ServerOptions as SecureServerOptions } from 'node:https';
import type { MachineClock } from '@portolan/foundation/clock';
import { InputTurns } from './input-turns.ts';
import type { Limits } from './limits.ts';
import { readTarget } from './request-line.ts';
import { keepWhileWorking } from './still-connections.ts';
import { inTurns } from './turns.ts';
import { boundedResponses } from './unread-body.ts';

/** How often the server checks for requests that time out. */
const CHECKING_INTERVAL_MS = 1000;

/**
 * Load balancers close idle connections after 60 s. The server waits a little longer, so that the load balancer closes
 * first.
 */
const KEEP_ALIVE_MS = 72_000;

/**
 * Node accepts request heads of up to this many times the limit, and the service checks the limit itself. It
 * therefore knows the method of an oversized request. This matters because the response to a HEAD request has
 * no body (RFC 9110 section 9.3.2).
 */
const HEADS_READ = 4;

interface Serving {
  readonly limits: Limits;
  readonly tls: SecureServerOptions | undefined;
  readonly machine: Pick<MachineClock, 'after' | 'monotonic'>;
}

/** Creates the HTTP server with its limits; HTTPS if there is a certificate. */
export function boundedServer({ limits, tls, machine }: Serving, listener: RequestListener): Server {
  const options: ServerOptions = {
    ServerResponse: boundedResponses({ limits, machine }),
    maxHeaderSize: limits.headerBytes * HEADS_READ,
    headersTimeout: limits.headersMs,
    // The body has its own timeout. `requestTimeout` only limits a request that is rejected before its body has been
    // read.
    requestTimeout: limits.headersMs + limits.bodyMs,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, limits.headersMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `headProblem` rejects a request without a `Host` header, because Node's own error response would have no body.
    requireHostHeader: false,
  };
  const inputs = new InputTurns(machine);
  const listen = inTurns((request, response) => {
    readTarget(request);
    keepWhileWorking(request, response);
    listener(request, response);
  }, inputs);
  const server =
    tls === undefined
      ? createServer(options, listen)
      : createSecureServer({ ...options, handshakeTimeout: limits.headersMs, ...tls }, listen);
  inputs.watch(server);
  // Without these listeners, Node would send `100 Continue` before the request is authorized, and 417 without a body.
  server.on('checkContinue', listen).on('checkExpectation', listen);
  return server.setTimeout(limits.stillMs);
}
