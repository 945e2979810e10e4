import { networkOf } from '../access/index.ts';
import { faultOf } from './answer/error.ts';
import { answerResponse, faultResponse, type HttpResponse, mountResponse } from './answer/response.ts';
import type { Edge } from './edge.ts';
import { type Admitted, type Exchange, labelOf } from './exchange.ts';
import { type Incoming, readBody, textOf } from './http/read-body.ts';
import type { Mount } from './mounts.ts';
import { logRequest } from './observe/request-log.ts';
import { recordRequest } from './observe/request-trail.ts';
import { admit, serve } from './pipeline.ts';

/** Responds to a request. Returns undefined if a declared fault closes the connection instead. */
export async function respond(
  edge: Edge,
  exchange: Exchange,
  incoming: Incoming,
): Promise<HttpResponse | undefined> {
  const { mount, route } = exchange;
  // Metrics count only requests that match an operation. The steps below reject all others.
  if (route) edge.metrics.begin();
  try {
    return mount
      ? await callMount(edge, exchange, mount, incoming)
      : await performOperation(edge, exchange, incoming);
  } catch (error) {
    return failureResponse(edge, exchange, error);
  } finally {
    if (route) edge.metrics.end();
  }
}

/** Returns the response to a thrown error. */
export function failureResponse({ services }: Edge, exchange: Exchange, error: unknown): HttpResponse {
  const log = () => services.log.child({ requestId: exchange.id, operation: labelOf(exchange) });
  return faultResponse(faultOf(error, log), exchange);
}

/** Counts, logs and records a request whose response is complete. */
export function observe(edge: Edge, exchange: Exchange, status: number, milliseconds: number): void {
  edge.metrics.observe(labelOf(exchange), status, milliseconds / 1000);
  logRequest(edge.services.log, exchange, status, milliseconds);
  recordRequest(edge, exchange, status, milliseconds);
}

async function performOperation(
  edge: Edge,
  exchange: Exchange,
  incoming: Incoming,
): Promise<HttpResponse | undefined> {
  await admit(edge, exchange);
  const { admitted, disconnect } = exchange;
  if (admitted === undefined) throw new TypeError('A request passed the steps without being admitted');
  if (disconnect === 'BEFORE') return undefined;
  const response = keptResponse(edge, exchange, admitted);
  if (response !== undefined) return response;
  const answer = await serve(edge, exchange, admitted, incoming);
  if (disconnect === undefined) return answerResponse(exchange, admitted.served, answer);
  answer.stream?.destroy();
  return undefined;
}

/**
 * Returns the cached response, if any. Returns undefined if a declared fault requires that the operation is
 * performed.
 */
function keptResponse(edge: Edge, exchange: Exchange, { served }: Admitted): HttpResponse | undefined {
  const text = exchange.disconnect === undefined ? edge.responseCache.get(served, exchange) : undefined;
  if (text === undefined) return undefined;
  return answerResponse(exchange, served, { status: served.shape?.status ?? 200, text });
}

async function callMount(
  edge: Edge,
  exchange: Exchange,
  mount: Mount,
  incoming: Incoming,
): Promise<HttpResponse> {
  const { method, path, params, query, address } = exchange;
  const body = await readForm(edge, incoming, networkOf(address));
  const request = { method, path, params, query, headers: incoming.headers, body, address };
  return mountResponse(exchange, await mount.handle(request));
}

/**
 * Reads the body of a request to an endpoint that is not an operation. The size limit is lower than the limit
 * for operations, because such a request is not authenticated.
 */
async function readForm({ limits, budget, services }: Edge, form: Incoming, owner: string): Promise<string> {
  const bounds = { ...limits, bodyBytes: Math.min(limits.bodyBytes, limits.formBytes) };
  const bytes = await readBody(form, { limits: bounds, machine: services.machine, budget, owner });
  budget.release(bytes.length, owner);
  return textOf(bytes);
}
