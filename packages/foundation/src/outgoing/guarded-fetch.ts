import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { boundReply } from './bound-reply.ts';
import { guardedTarget, type PosterOptions } from './guarded-post.ts';

/** The part of the options of `fetch` that a guarded fetch uses. Redirects are never followed. */
interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export type GuardedFetch = (url: string, sent?: Sent) => Promise<Response>;

/** The maximum size of a body. Documents and tokens of OpenID providers are much smaller. */
const MAX_BYTES = 262_144;
/** The maximum size of a body with the sizes of its chunks. */
const MAX_WIRE_BYTES = 2 * MAX_BYTES;

/** Statuses whose responses have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns a function like `fetch` for URLs that callers chose. As with `guardedPoster`, every resolved address must be
 * public, the connection uses the checked address, and redirects are not followed. The body must be complete before the
 * timeout, and at most 256 KiB long.
 */
export function guardedFetch({ allowPrivate, timeout = 10_000 }: PosterOptions): GuardedFetch {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const target = new URL(url);
    const { lookup } = guardedTarget(target.hostname.replace(/^\[|\]$/g, ''), allowPrivate);
    const limit = AbortSignal.timeout(timeout);
    const content = body === undefined || body === null ? undefined : String(body);
    const options = {
      method,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
      },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      agent: false,
      ...(lookup && { lookup }),
    };
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const response = new Promise<Response>((done, failed) => {
      const request = send(target, options, (message) => readAll(message).then(done, failed));
      boundReply(request, MAX_WIRE_BYTES);
      request.on('error', failed);
      request.end(content);
    });
    return response.catch((error: Error) => {
      throw limit.aborted ? new Error(`no answer within ${timeout / 1000} s`) : error;
    });
  };
}

async function readAll(message: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    parts.push(part as Buffer);
  }
  const { statusCode: status = 0 } = message;
  if (status < 200) throw new Error(`the answer has the status ${status}`);
  const headers = { 'content-type': message.headers['content-type'] ?? '', ...challenge(message) };
  return new Response(bodiless.has(status) ? null : Buffer.concat(parts), { status, headers });
}

/** Returns the header in which a server explains why it rejects an access token. */
function challenge({ headers }: IncomingMessage): Record<string, string> {
  const { 'www-authenticate': given } = headers;
  return given === undefined ? {} : { 'www-authenticate': given };
}
