import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Bootstrap } from '../packages/service/src/boot/bootstrap.ts';
import { clusterBody } from './support.ts';

/** Calls a service, with or without TLS, as the service's first service account. */
export interface Caller {
  readonly bootstrap: Bootstrap;
  readonly origin: string;
  readonly base: string;
  /** The path of the first project. */
  readonly project: string;
  readonly headers: Record<string, string>;
  challenge(): Promise<string>;
  /** Sends a request. Throws for an unsuccessful response. */
  send(method: string, path: string, body?: unknown): Promise<{ readonly text: string }>;
}

const BASE = '/api/service/v2';

export async function callerOf(bootstrap: Bootstrap): Promise<Caller> {
  const { url, clientId, clientSecret, groupId } = bootstrap;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const auth = `${clientId}:${clientSecret}`;
  const grant = 'grant_type=client_credentials';
  const granted = await ask(`${url}/api/oauth/token`, { method: 'POST', auth, headers: form }, grant);
  const { access_token } = JSON.parse(granted.text) as { access_token: string };
  const headers = {
    authorization: `Bearer ${access_token}`,
    accept: 'application/vnd.service.2025-03-12+json',
  };
  const caller: Caller = {
    bootstrap,
    origin: url,
    base: BASE,
    project: `${BASE}/groups/${groupId}`,
    headers,
    challenge: async () => (await ask(url + BASE, {})).challenge,
    async send(method, path, body) {
      const given = body === undefined ? {} : { 'content-type': 'application/json' };
      const text = body === undefined ? '' : JSON.stringify(body);
      const answer = await ask(url + path, { method, headers: { ...headers, ...given } }, text);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    },
  };
  // Raise the limit of the project, so that it can have as many clusters as a page can contain.
  const limit = `${caller.project}/limits/platform.project.deployment.clusters`;
  await caller.send('PATCH', limit, { value: 1000 });
  return caller;
}

/** Creates a cluster. Returns its document once the cluster is IDLE. */
export async function createIdle(caller: Caller, path: string, name: string): Promise<{ text: string }> {
  await caller.send('POST', path, clusterBody(name));
  for (;;) {
    const { text } = await caller.send('GET', `${path}/${name}`);
    if ((JSON.parse(text) as { stateName: string }).stateName === 'IDLE') return { text };
  }
}

interface Answer {
  readonly status: number;
  readonly challenge: string;
  readonly text: string;
}

function ask(url: string, options: RequestOptions, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestSecure : requestPlain;
    const outgoing = request(url, { ...options, ...{ rejectUnauthorized: false } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          challenge: incoming.headers['www-authenticate'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
