import type { IncomingHttpHeaders } from 'node:http';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { HttpResponse } from '../answer/response.ts';
import type { Edge } from '../edge.ts';
import { type Exchange, labelOf } from '../exchange.ts';
import { type Message, messageBytes } from './inspector.ts';
import { shownBody, shownDetail, shownHeaders, shownTarget } from './secrets.ts';
import { unreadParameters } from './unread.ts';

/** Maximum length of a recorded body. Longer bodies are not recorded. */
const MAX_BODY = 256 * 1024;

/**
 * The headers of the latest request of each caller. Records of later requests share this object, since most callers
 * always send the same headers.
 */
const sentBefore = new BoundedCache<string, Message['headers']>({
  weight: 1024 * 1024,
  weigh: (headers) => messageBytes({ headers }),
});

interface Facts {
  readonly headers: IncomingHttpHeaders;
  readonly response: HttpResponse;
  readonly milliseconds: number;
}

/** Maximum number of names of fields and parameters that are recorded, and their maximum length. */
const MAX_NAMES = 100;
const MAX_NAME = 200;

/**
 * Records a call for the operator. Skips the calls with which the operator reads the records, and requests
 * for pages and documents.
 */
export function recordCall(edge: Edge, exchange: Exchange, facts: Facts): void {
  const { inspector, machine } = edge.services;
  if (inspector === undefined || inspector.recording === 'NOTHING' || !isOfInterest(exchange)) return;
  const { id, caller, address, method, origin, target, served } = exchange;
  const { headers, response, milliseconds } = facts;
  const sender = caller?.id ?? address;
  const before = sentBefore.get(sender);
  const sent = shownHeaders(headers, before);
  if (sent !== before) sentBefore.set(sender, sent);
  const code = response.headers['x-error-code'];
  const keepsBodies = inspector.recording === 'BODIES' && exchange.mount === undefined;
  inspector.record({
    requestId: id,
    at: machine.now(),
    caller: caller && { kind: caller.kind, id: caller.id, name: caller.name },
    address,
    operation: labelOf(exchange),
    method,
    origin,
    target: shownTarget(target),
    version: served?.version,
    status: response.status,
    errorCode: code === undefined ? undefined : String(code),
    detail: exchange.fault && shownDetail(exchange.fault, inspector.recording === 'BODIES'),
    reference: exchange.surface?.dialect.bases.referencePage,
    unread: { fields: few(exchange.unread ?? []), parameters: few(unreadParameters(exchange)) },
    milliseconds: Math.round(milliseconds * 100) / 100,
    request: messageOf(sent, keepsBodies ? exchange.received : undefined),
    response: messageOf(shownHeaders(response.headers), keepsBodies ? response.body : undefined),
    isBackground: isBackground(exchange, headers),
  });
}

/**
 * Whether to record a request. GET requests to endpoints that are not operations are not recorded, because
 * they fetch pages and documents. POST requests to such endpoints are recorded, because they call endpoints
 * such as the token endpoint.
 */
function isOfInterest({ mount, method, route }: Exchange): boolean {
  if (route?.operation.tag === 'Request inspector') return false;
  return mount === undefined || method === 'POST';
}

/**
 * Whether a page of the console sent the request only to show data. This is true of every GET request of a page, and of
 * other requests that the page marks as such, if they change nothing. Nobody can hide changes by the mark. Requests with
 * an `Authorization` header are never background requests, so that clients cannot hide their requests.
 */
function isBackground(exchange: Exchange, headers: IncomingHttpHeaders): boolean {
  const { authorization, caller, csrfToken, method, onlyReads = false } = exchange;
  const isOfPage = authorization === undefined && (csrfToken !== undefined || caller?.kind === 'user');
  return isOfPage && (method === 'GET' || (onlyReads && headers[PURPOSE] === 'background'));
}

/** The header with which pages of the console mark background requests. */
const PURPOSE = 'x-purpose';

function few(names: readonly string[]): readonly string[] {
  return names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME));
}

function messageOf(headers: Message['headers'], body: HttpResponse['body']): Message {
  const kept = body === undefined || body.length === 0 || body.length > MAX_BODY ? undefined : body;
  return { headers, body: kept === undefined ? undefined : shownBody(String(kept)) };
}
