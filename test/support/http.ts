import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';

export interface Reply {
  readonly method: string;
  /** An absolute URL. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The bytes of the body; empty if the response is text. */
  readonly bytes: Buffer;
  /** Returns the document of the response; an empty object if the response has none. */
  json<T = Record<string, unknown>>(): T;
}

export interface Sending {
  readonly method: string;
  /** Path and query, as sent in the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/**
 * A client that keeps connections open and follows no redirects. If the server closes a reused connection before it
 * responds to a GET, the client repeats the request (RFC 9112 section 9.3.1).
 */
export interface Connection {
  readonly url: string;
  send(sending: Sending): Promise<Reply>;
  close(): void;
}

/**
 * How long an unused connection is kept. A service closes idle connections later than this. Otherwise, it could close a
 * connection that the client is just using again.
 */
const IDLE_MS = 30_000;
/**
 * How long to wait for a response. This is less than the time limit of a test, so that the test fails with an error
 * that names the request.
 */
const UNANSWERED_MS = 240_000;

/** Opens a connection. `authority` is the PEM text to trust; absent for plain HTTP. */
export function connectionTo(url: string, authority?: string): Connection {
  // Check the certificate against the address, even if a test sends another Host header.
  const agent = new Agent({
    keepAlive: true,
    timeout: IDLE_MS,
    servername: '',
    ...(authority && { ca: authority }),
  });
  const { hostname, port, protocol } = new URL(url);
  const send = (sending: Sending, isRepeated = false): Promise<Reply> =>
    new Promise<Reply>((resolve, reject) => {
      const { method, target, headers = {}, body } = sending;
      const options = { hostname, port, method, path: target, headers: { ...headers, ...lengthOf(body) } };
      const outgoing =
        protocol === 'https:' ? secureRequest({ ...options, agent }) : plainRequest({ ...options });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const mayRepeat = method === 'GET' && !isRepeated && outgoing.reusedSocket;
        if (mayRepeat && error.code === 'ECONNRESET') resolve(send(sending, true));
        else reject(error);
      });
      outgoing.setTimeout(UNANSWERED_MS, () =>
        outgoing.destroy(new Error(`${method} ${url}${target}: no response within ${UNANSWERED_MS} ms`)),
      );
      outgoing.on('response', (incoming) => {
        readBytes(incoming)
          .then((bytes) => resolve(replyOf(incoming, { method, url: url + target, bytes })))
          .catch(reject);
      });
      outgoing.end(body);
    });
  return { url, send: (sending) => send(sending), close: () => agent.destroy() };
}

function lengthOf(body: string | Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function replyOf(incoming: IncomingMessage, parts: Pick<Reply, 'method' | 'url' | 'bytes'>): Reply {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const text = parts.bytes.toString();
  return {
    ...parts,
    text,
    status: incoming.statusCode ?? 0,
    headers,
    json: <T>() => (text === '' ? {} : JSON.parse(text)) as T,
  };
}

/** A request for a URL that needs no credentials. */
export interface Fetching {
  readonly url: URL;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authority?: string | undefined;
}

/** Fetches a binary response. */
export function fetchBytes({ url, method = 'GET', headers = {}, authority }: Fetching) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const ca = authority === undefined ? {} : { ca: authority };
    const request = url.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = request(url, { method, headers, ...ca }, (incoming) => {
      readBytes(incoming).then((body) => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body });
      }, reject);
    });
    outgoing.once('error', reject).end();
  });
}
