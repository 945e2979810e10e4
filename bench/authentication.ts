import { request } from 'node:https';
import { atLeast, atMost, type Figure, type Part } from './figure.ts';
import { load } from './load.ts';
import {
  type Client,
  clusterBody,
  DigestHeaders,
  type RunningService,
  startScript,
  withService,
} from './support.ts';

/** Reads one cluster with each method of authentication. The baseline is a bare route that returns the same bytes. */
export const authentication: Part = {
  name: 'authentication',
  measure: () =>
    withService(async (service, client) => {
      const path = await makeCluster(service, client);
      const body = JSON.stringify((await client.call('GET', path.replace('/api/service/v2', ''))).body);
      const bare = await startScript('bare-server.ts', { body });
      try {
        return await measureBoth(service, path, bare.line);
      } finally {
        await bare.stop();
      }
    }),
};

async function makeCluster(service: RunningService, client: Client): Promise<string> {
  const clusters = `/groups/${service.bootstrap.groupId}/clusters`;
  await client.call('POST', clusters, clusterBody('measured'));
  for (;;) {
    const { body } = await client.call('GET', `${clusters}/measured`);
    if (body.stateName === 'IDLE') return `/api/service/v2${clusters}/measured`;
  }
}

async function measureBoth(service: RunningService, path: string, bareUrl: string): Promise<Figure[]> {
  const url = service.bootstrap.url + path;
  const token = await accessToken(service);
  const digest = new DigestHeaders(await challengeOf(url), service.bootstrap);
  const bare = await load({ url: bareUrl });
  const bearer = await load({ url, headers: { authorization: `Bearer ${token}` } });
  const digested = await load({ url, each: () => ({ authorization: digest.header('GET', path) }) });
  const baseline = { name: 'bare route', value: bare.perSecond };
  return [
    {
      name: 'GET a cluster, Bearer, 32 connections',
      value: bearer.perSecond,
      unit: '/s',
      baseline,
      target: atLeast(0.4, 'ratio'),
    },
    {
      name: 'GET a cluster, Digest, 32 connections',
      value: digested.perSecond,
      unit: '/s',
      baseline,
      target: atLeast(0.2, 'ratio'),
    },
    {
      name: 'p99 of GET a cluster, Bearer, 32 connections',
      value: bearer.p99,
      unit: 'ms',
      target: atMost(10),
    },
    {
      name: 'p99 of GET a cluster, Digest, 32 connections',
      value: digested.p99,
      unit: 'ms',
      target: atMost(10),
    },
  ];
}

export async function accessToken({ bootstrap, authority }: RunningService): Promise<string> {
  const { clientId, clientSecret, url } = bootstrap;
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = request(
      new URL('/api/oauth/token', url),
      {
        method: 'POST',
        ca: authority,
        auth: `${clientId}:${clientSecret}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on('end', () => resolve(text));
      },
    );
    outgoing.on('error', reject);
    outgoing.end('grant_type=client_credentials');
  });
  return (JSON.parse(answer) as { access_token: string }).access_token;
}

function challengeOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { rejectUnauthorized: false }, (incoming) => {
      incoming.resume();
      resolve(incoming.headers['www-authenticate'] ?? '');
    })
      .on('error', reject)
      .end();
  });
}
