import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import type { RunningService } from './support.ts';

interface Timed {
  readonly status: number;
  readonly milliseconds: number;
  readonly challenge: string;
  readonly text: string;
}

export type Send = (
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body?: string,
) => Promise<Timed>;

/** Sends requests one after another on a single connection, and measures each. */
export function oneConnection({ bootstrap, authority }: RunningService): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authority });
  const send: Send = (method, path, headers, body = '') =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      const outgoing = request(new URL(path, bootstrap.url), { method, headers, agent }, (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            milliseconds: performance.now() - begun,
            challenge: incoming.headers['www-authenticate'] ?? '',
            text,
          }),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
}
