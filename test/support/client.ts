import assert from 'node:assert/strict';
import type { AnswerChecker } from './answers.ts';
import { type Algorithm, type Challenge, challengeIn, digestHeader, type KeyPair } from './digest.ts';
import type { Connection, Reply, Sending } from './http.ts';

/** The headers of a call, and the versions that it accepts. */
interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole `Accept` header. By default, `application/json` for v1.0 and the newest version for v2. */
  readonly accept?: string;
}

/**
 * Calls a service with credentials, and checks every response against the OpenAPI documents. Paths are relative to
 * `/api/service/v2`, or begin with `/api/`, `/console/` or `/operator/`. A body that is a string is sent unchanged.
 */
export interface Client {
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  put(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  patch(path: string, body: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, options?: CallOptions): Promise<Reply>;
}

const NEWEST = 'application/vnd.service.2025-03-12+json';

/** Computes the `Authorization` header of a request, from a challenge if the scheme requires one. */
export interface Credentials {
  authorize(sending: Sending, connection: Connection): Promise<string | undefined>;
  /** Handles the challenge of a 401. Returns whether to send the request again. `authorize` has returned `header`. */
  refused(reply: Reply, header: string | undefined): boolean;
}

/**
 * Returns a client that sends requests to the instances of one service in turn. `connections` returns the connections
 * to these instances.
 */
export function clientOf(
  connections: () => readonly Connection[],
  credentials: Credentials,
  checker: AnswerChecker,
): Client {
  let turn = 0;
  async function send(method: string, path: string, body?: unknown, options: CallOptions = {}) {
    const connection = connections()[turn++ % connections().length];
    assert.ok(connection);
    const sending = sendingOf(method, path, body, options);
    const authorized = async () => {
      const authorization = await credentials.authorize(sending, connection);
      const headers = { ...sending.headers, ...(authorization === undefined ? {} : { authorization }) };
      return [await connection.send({ ...sending, headers }), authorization] as const;
    };
    const [first, header] = await authorized();
    const isRepeated = first.status === 401 && credentials.refused(first, header);
    const [reply] = isRepeated ? await authorized() : [first];
    checker.check({ ...reply, body: reply.text });
    return reply;
  }
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
  };
}

function sendingOf(method: string, path: string, body: unknown, options: CallOptions): Sending {
  const target = /^\/(api|console|operator)(\/|$)/.test(path)
    ? path
    : `/api/service/v2${path === '/' ? '' : path}`;
  const accept = options.accept ?? (target.startsWith('/api/service/v2') ? NEWEST : 'application/json');
  return {
    method,
    target,
    headers: {
      ...(accept === '' ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: isText(body) ? body : JSON.stringify(body),
  };
}

/** Whether a body is sent unchanged. */
function isText(body: unknown): body is string | Buffer | undefined {
  return body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
}

/** Returns the credentials of an API key. A nonce is used again while the service accepts it. */
export function digest(pair: KeyPair, algorithm: Algorithm = 'MD5'): Credentials {
  let challenge: Challenge | undefined;
  let count = 0;
  return {
    async authorize({ method, target }) {
      return challenge && digestHeader(pair, challenge, { method, target, count: ++count });
    },
    refused(reply, header) {
      const next = challengeIn(reply.headers, algorithm);
      if (next === undefined) return false;
      // Send the request again if the nonce has expired, or if the request had no credentials: concurrent requests may
      // all have been sent before the first challenge. In all other cases, the credentials are wrong.
      const retry = header === undefined || next.stale;
      challenge = next;
      count = 0;
      return retry;
    },
  };
}

/** Returns the credentials of a service account. They get a token before the first request (RFC 6749 section 4.4). */
export function serviceAccount(clientId: string, clientSecret: string): Credentials {
  let token: Promise<string> | undefined;
  return {
    async authorize(_, connection) {
      token ??= fetchToken(connection, clientId, clientSecret).catch((error) => {
        // Discard the failed token, so that the next request gets a new one.
        token = undefined;
        throw error;
      });
      return `Bearer ${await token}`;
    },
    refused: () => false,
  };
}

export function bearer(token: string): Credentials {
  return { authorize: async () => `Bearer ${token}`, refused: () => false };
}

export const anonymous: Credentials = { authorize: async () => undefined, refused: () => false };

export async function fetchToken(connection: Connection, id: string, secret: string): Promise<string> {
  const reply = await connection.send({
    method: 'POST',
    target: '/api/oauth/token',
    headers: {
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<{ access_token: string }>().access_token;
}
