import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpResponse } from './response.ts';
import { TextPieces } from './text-pieces.ts';

/**
 * A larger body is sent in pieces of this size, each of which is sent when the client has read the previous ones.
 * Otherwise, each client that does not read would make the server keep an encrypted copy of the whole body.
 */
const PIECE_BYTES = 65_536;

/** Sends a response. If its stream fails before the first bytes, sends the response that `failed` returns instead. */
export function send(
  to: ServerResponse,
  response: HttpResponse,
  failed: (error: unknown) => HttpResponse,
): void {
  const { status, headers, body, stream } = response;
  if (stream !== undefined && to.req.method !== 'HEAD') {
    sendStream(to, { ...response, stream }, failed);
    return;
  }
  stream?.destroy();
  // The response to a HEAD request has no body here, although the response to the same GET request may have a
  // body. The length of that body is then unknown.
  const hasLength = body !== undefined || !(hasNoBody(status) || to.req.method === 'HEAD');
  if (hasLength) headers['content-length'] = String(lengthOf(body));
  if (body instanceof TextPieces) {
    if (to.req.method === 'HEAD') to.writeHead(status, headers).end();
    else sendStream(to, { ...response, stream: body.stream() }, failed);
    return;
  }
  if (Buffer.isBuffer(body) && body.length > PIECE_BYTES && to.req.method !== 'HEAD') {
    sendStream(to, { ...response, stream: inPieces(body) }, failed);
    return;
  }
  to.writeHead(status, headers).end(body);
}

function lengthOf(body: HttpResponse['body']): number {
  if (body === undefined) return 0;
  return body instanceof TextPieces ? body.length : Buffer.byteLength(body);
}

/** Responses with these statuses have neither a body nor a length (RFC 9110 section 8.6). */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 304;
}

function inPieces(body: Buffer): Readable {
  const count = Math.ceil(body.length / PIECE_BYTES);
  const pieces = Array.from({ length: count }, (_, at) =>
    body.subarray(at * PIECE_BYTES, (at + 1) * PIECE_BYTES),
  );
  return new TextPieces(pieces).stream();
}

function sendStream(
  to: ServerResponse,
  { status, headers, stream }: HttpResponse & { readonly stream: Readable },
  failed: (error: unknown) => HttpResponse,
): void {
  // Set the status and headers here: unlike `writeHead`, this sends them only with the first bytes of the body.
  to.statusCode = status;
  for (const [name, value] of Object.entries(headers)) to.setHeader(name, value ?? '');
  stream.once('error', (error) => {
    if (to.headersSent) to.destroy();
    else {
      for (const name of to.getHeaderNames()) to.removeHeader(name);
      send(to, failed(error), failed);
    }
  });
  to.once('close', () => stream.destroy());
  stream.pipe(to);
}
