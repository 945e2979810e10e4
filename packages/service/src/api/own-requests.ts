import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Edge } from './edge.ts';
import { releaseReply } from './exchange.ts';
import { receive } from './receive.ts';
import { observe, respond } from './respond.ts';

/** A request of this process itself, without a connection. */
export interface OwnRequest {
  readonly method: string;
  /** The request target: path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: string | undefined;
}

export interface OwnResponse {
  readonly status: number;
  readonly text: string;
}

export async function respondWithin(edge: Edge, request: OwnRequest): Promise<OwnResponse> {
  const { method, target, headers, body } = request;
  const { machine } = edge.services;
  const began = machine.monotonic();
  const exchange = receive(edge, { method, target, headers, peer: '127.0.0.1', isOwn: true });
  const stream = body === undefined ? undefined : Readable.from([Buffer.from(body)]);
  const response = await respond(edge, exchange, { headers, stream });
  releaseReply(exchange);
  if (response === undefined) throw new TypeError('A declared fault applied to a request of the service');
  observe(edge, exchange, response.status, machine.monotonic() - began);
  return {
    status: response.status,
    text: response.stream ? await text(response.stream) : String(response.body ?? ''),
  };
}
