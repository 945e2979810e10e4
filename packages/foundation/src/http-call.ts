import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export interface HttpCall {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The trusted certificate authority as PEM; by default the authorities that the machine trusts. */
  readonly authority?: string | undefined;
  /** The idle timeout in milliseconds; by default none. */
  readonly timeoutMs?: number;
}

/** Sends an HTTP request. Unlike `fetch`, it accepts a certificate authority. */
export function sendRequest(url: URL, call: HttpCall): Promise<HttpAnswer> {
  const { method, headers = {}, body = '', authority, timeoutMs } = call;
  const options = {
    ...{ method, headers },
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    ...(authority === undefined ? {} : { ca: authority }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? requestTls : requestPlain)(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    // Listen only if a timeout is set. The agent of Node.js emits `timeout` after five seconds even if none is set.
    if (timeoutMs !== undefined)
      outgoing.on('timeout', () => outgoing.destroy(new Error('the service does not respond')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
