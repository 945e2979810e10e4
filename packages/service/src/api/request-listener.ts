import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { faultResponse } from './answer/response.ts';
import { send } from './answer/send.ts';
import type { Edge } from './edge.ts';
import type { Incoming } from './http/read-body.ts';
import { headProblem, type WithTarget } from './http/request-line.ts';
import { receive } from './receive.ts';
import { failureResponse, observe, respond } from './respond.ts';

/** Returns the function that serves each request of an HTTP server. */
export function requestListener(edge: Edge): RequestListener {
  return (request, response) => {
    serveRequest(edge, request, response).catch((error) => {
      edge.services.log.error({ err: error }, 'a response could not be sent');
      request.socket.destroy();
    });
  };
}

async function serveRequest(edge: Edge, request: WithTarget, response: ServerResponse): Promise<void> {
  const { machine } = edge.services;
  const began = machine.monotonic();
  const exchange = receive(edge, {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    absoluteTarget: request.originalUrl,
    headers: request.headers,
    peer: request.socket.remoteAddress ?? '',
    isOwn: false,
  });
  if (edge.isClosing()) exchange.headers.connection = 'close';
  response.once('finish', () => observe(edge, exchange, response.statusCode, machine.monotonic() - began));
  const problem = headProblem(request, edge.limits.headerBytes);
  const answer = problem
    ? faultResponse(problem, exchange)
    : await respond(edge, exchange, bodyOf(request, response));
  if (answer === undefined) request.socket.destroy();
  else send(response, answer, (error) => failureResponse(edge, exchange, error));
}

/** The body, not yet read. */
function bodyOf(request: IncomingMessage, response: ServerResponse): Incoming {
  const { method = 'GET', headers, httpVersion } = request;
  const length = headers['content-length'] ?? '0';
  const isSent = headers['transfer-encoding'] !== undefined || length !== '0';
  const isAwaited = headers.expect !== undefined && httpVersion === '1.1';
  return {
    headers,
    stream: isSent && !['GET', 'HEAD'].includes(method) ? request : undefined,
    proceed: isAwaited ? () => response.writeContinue() : undefined,
  };
}
