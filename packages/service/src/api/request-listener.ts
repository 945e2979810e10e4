import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { faultResponse, type HttpResponse } from './answer/response.ts';
import { send } from './answer/send.ts';
import type { Edge } from './edge.ts';
import { releaseReply } from './exchange.ts';
import type { Incoming } from './http/read-body.ts';
import { headProblem, type WithTarget } from './http/request-line.ts';
import { recordCall } from './inspect/record-call.ts';
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
  let sent: HttpResponse | undefined;
  response.once('finish', () => {
    const milliseconds = machine.monotonic() - began;
    observe(edge, exchange, response.statusCode, milliseconds);
    if (sent) recordCall(edge, exchange, { headers: request.headers, response: sent, milliseconds });
  });
  response.once('close', () => releaseReply(exchange));
  const problem = headProblem(request, edge.limits.headerBytes);
  const answer = problem
    ? faultResponse(problem, exchange)
    : await respond(edge, exchange, bodyOf(request, response));
  // The client disconnected while its reply was made.
  if (response.closed) releaseReply(exchange);
  if (answer === undefined) request.socket.destroy();
  else {
    sent = answer;
    send(response, answer, (error) => {
      sent = failureResponse(edge, exchange, error);
      return sent;
    });
  }
}

/** Returns the body of a request. Nothing has been read from it yet. */
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
