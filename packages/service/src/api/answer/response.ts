import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Fault } from '@portolan/foundation/faults';
import { PLAIN_MEDIA_TYPE } from '../addresses.ts';
import { faultIn } from '../dialect/fault-words.ts';
import type { Exchange } from '../exchange.ts';
import type { MountAnswer } from '../mounts.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import { errorText } from './error.ts';
import type { TextPieces } from './text-pieces.ts';
import { written } from './written.ts';

/** A complete HTTP response; header names are in lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | TextPieces | undefined;
  /** A stream that is sent instead of a body. */
  readonly stream?: Readable | undefined;
}

/** A successful result of an operation. */
export interface Answer {
  readonly status: number;
  /** The body; undefined for a response without a body. */
  readonly text: string | Buffer | TextPieces | undefined;
  readonly location?: string | undefined;
  /** A stream that is sent instead of `text`. */
  readonly stream?: Readable;
}

/**
 * Headers of event streams, which caches must not store, and which proxies must not compress or buffer.
 * `x-accel-buffering` is a header for nginx.
 */
const unbuffered = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };

export function answerResponse(
  exchange: Exchange,
  served: OperationVersion,
  { status, text, location, stream }: Answer,
): HttpResponse {
  const headers: OutgoingHttpHeaders = { ...exchange.headers, 'content-type': served.contentType };
  if (location !== undefined) headers.location = location;
  if (served.operation.bytes === 'event-stream') Object.assign(headers, unbuffered);
  return { status, headers, body: text, stream };
}

export function mountResponse(exchange: Exchange, answer: MountAnswer): HttpResponse {
  const { status, body, document, stream } = answer;
  const headers: OutgoingHttpHeaders = { ...exchange.headers };
  if (document !== undefined) headers['content-type'] = PLAIN_MEDIA_TYPE;
  addHeaders(headers, answer.headers);
  if (document !== undefined) {
    return { status, headers, body: written({ kind: 'whole', value: document }, status, exchange.format) };
  }
  return { status, headers, body: body.length === 0 ? undefined : body, stream };
}

export function faultResponse(thrown: Fault, exchange: Exchange): HttpResponse {
  const fault = faultIn(thrown, exchange.surface?.dialect.changes, exchange.served?.operation);
  exchange.fault = fault;
  const headers: OutgoingHttpHeaders = { ...exchange.headers };
  addHeaders(headers, fault.headers);
  headers['content-type'] = PLAIN_MEDIA_TYPE;
  headers['x-error-code'] = fault.code;
  return { status: fault.status, headers, body: errorText(fault, exchange.format) };
}

function addHeaders(headers: OutgoingHttpHeaders, more: Fault['headers']): void {
  for (const [name, value] of Object.entries(more ?? {})) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  }
}
