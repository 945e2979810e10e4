import { Socket } from 'node:net';
import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import type { Edge } from './edge.ts';
import type { Exchange } from './exchange.ts';
import { pathOf, type WithTarget } from './http/request-line.ts';
import type { Mount } from './mounts.ts';
import type { RouteMatch } from './routes/route-table.ts';
import { type RawQuery, requestedFormat } from './schema/query.ts';

/** A documentation address (RFC 5737): a peer that may claim to forward it is a trusted proxy. */
const PROBE = '192.0.2.1';

export function isTrustedProxy({ callerAddress }: Pick<Edge, 'callerAddress'>, peer: string): boolean {
  return callerAddress(peer, PROBE) === PROBE;
}

/** What a request matched; empty if it is rejected. */
interface RequestTarget {
  readonly found?: RouteMatch | undefined;
  readonly mount?: Mount;
}

/** Reads the head of a request for the steps. */
export function receive(edge: Edge, request: FastifyRequest, { found, mount }: RequestTarget): Exchange {
  const { headers } = request;
  const raw: WithTarget = request.raw;
  const target = raw.url ?? '/';
  const path = pathOf(target);
  // Fastify does not parse the query of a path that it rejects.
  const query = (request.query ?? parse(target.slice(path.length + 1))) as RawQuery;
  const peer = raw.socket.remoteAddress ?? '';
  const forwardedFor = headers['x-forwarded-for'];
  return {
    id: request.id,
    method: request.method,
    target,
    absoluteTarget: raw.originalUrl,
    path,
    accept: headers.accept,
    authorization: headers.authorization,
    address: edge.callerAddress(
      peer,
      typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(','),
    ),
    isOwn: !(raw.socket instanceof Socket),
    surface: edge.surfaceOf(path),
    origin: edge.originOf(headers, isTrustedProxy(edge, peer)),
    query,
    params: found?.params ?? (request.params as Readonly<Record<string, string>>),
    route: found?.route,
    mount,
    format: requestedFormat(query),
    headers: {},
  };
}
