import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'node:querystring';
import type { Edge } from './edge.ts';
import type { Exchange } from './exchange.ts';
import { pathOf } from './http/request-line.ts';
import type { AnyOperation, Flag } from './operation.ts';
import { type RawQuery, requestedFormat } from './schema/query.ts';

/**
 * An arbitrary address that RFC 5737 reserves for documentation. The peer is a trusted proxy if it may forward
 * requests on behalf of this address.
 */
const PROBE = '192.0.2.1';

export function isTrustedProxy({ callerAddress }: Pick<Edge, 'callerAddress'>, peer: string): boolean {
  return callerAddress(peer, PROBE) === PROBE;
}

/** A request without its body. */
interface RequestHead {
  readonly method: string;
  /** The target in origin form: path and query. */
  readonly target: string;
  readonly absoluteTarget?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Address of the other end of the connection. */
  readonly peer: string;
  readonly isOwn: boolean;
}

/**
 * Reads the head of a request, and finds the operation or the other endpoint (see `mounts.ts`) that it
 * addresses.
 */
export function receive(edge: Edge, head: RequestHead): Exchange {
  const { method, target, absoluteTarget, headers, peer, isOwn } = head;
  const path = pathOf(target);
  const query = queryOf(target, path);
  const surface = edge.surfaceOf(path);
  const found = surface && edge.tableOf(surface.dialect).find(method, path, surface).found;
  const mounted = found ? undefined : edge.mounts.find(method, path, headers);
  const id = requestId(headers['x-request-id']) ?? edge.services.random.uuid();
  const forwardedFor = headers['x-forwarded-for'];
  return {
    id,
    method,
    target,
    absoluteTarget,
    path,
    accept: headers.accept,
    authorization: headers.authorization,
    cookie: headers.cookie,
    csrfToken: headers['x-csrf-token']?.toString(),
    lastEventId: headers['last-event-id']?.toString(),
    flags: flagsOf(found?.route.operation, headers),
    address: edge.callerAddress(
      peer,
      typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(','),
    ),
    isOwn,
    surface,
    origin: edge.originOf(headers, isTrustedProxy(edge, peer)),
    query,
    params: found?.params ?? mounted?.params ?? {},
    route: found?.route,
    mount: mounted?.mount,
    format: requestedFormat(query, surface?.dialect.changes?.isLenient),
    headers: {
      ...edge.headers,
      'x-request-id': id,
      ...(method === 'GET' ? { vary: 'Accept-Encoding' } : {}),
    },
  };
}

const noFlags: readonly Flag[] = [];

function flagsOf(operation: AnyOperation | undefined, headers: IncomingHttpHeaders): readonly Flag[] {
  const { flags, sets = noFlags } = operation ?? {};
  if (flags === undefined) return sets;
  const given = flags.flatMap(({ header, flag }) => (headers[header.toLowerCase()] === 'true' ? flag : []));
  return [...sets, ...given];
}

const noQuery: RawQuery = {};

function queryOf(target: string, path: string): RawQuery {
  if (target.length === path.length) return noQuery;
  return parse(target.slice(path.length + 1), '&', '=', { maxKeys: 0 }) as RawQuery;
}

/** Returns the caller's request id, if it is short and plain enough to be logged. */
function requestId(given: string | readonly string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
}
