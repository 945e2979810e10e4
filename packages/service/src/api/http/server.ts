import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type ServerOptions as SecureServerOptions } from 'node:https';
import type { Limits } from './limits.ts';
import { readTarget } from './request-line.ts';

/** How often the server looks for requests that are late. */
const CHECKING_INTERVAL_MS = 1000;

/** A little above the 60 s for which load balancers keep idle connections, so that they close them first. */
const KEEP_ALIVE_MS = 72_000;

/**
 * A head that is too large is read up to so many times its bound, so that it can be refused by its method: the answer to a
 * HEAD has no body (RFC 9110 section 9.3.2), and of a head that was not read to its end nobody knows the method.
 */
const HEADS_READ = 4;

/** The HTTP server with its bounds; HTTPS where there is a certificate. */
export function boundedServer(
  limits: Limits,
  tls: SecureServerOptions | undefined,
  listener: RequestListener,
): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes * HEADS_READ,
    headersTimeout: limits.headersMs,
    // The body has a time-out of its own; this one ends what comes after an early refusal.
    requestTimeout: limits.headersMs + limits.bodyMs,
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL_MS, limits.headersMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's own refusal has no body; ours has.
    requireHostHeader: false,
  };
  const listen: RequestListener = (request, response) => {
    readTarget(request);
    listener(request, response);
  };
  const server =
    tls === undefined
      ? createServer(options, listen)
      : createSecureServer({ ...options, handshakeTimeout: limits.headersMs, ...tls }, listen);
  // Left to itself Node sends `100 Continue` before anybody knows whether the body is wanted, and 417 without a body.
  server.on('checkContinue', listen).on('checkExpectation', listen);
  return server.setTimeout(limits.stillMs);
}
