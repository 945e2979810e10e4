import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { azureStore } from './azure.ts';
import { applicationCredential } from './azure-token.ts';
import type { ObjectStore } from './object-store.ts';

/** Options for a server that never responds. Other servers get `PATIENCE`. */
const IMPATIENCE = { timeoutMs: 1000, attempts: 2 };
const PATIENCE = { timeoutMs: 60_000, attempts: 2 };
const application = {
  tenantId: '33333333-2222-3333-4444-555555555555',
  clientId: '11111111-2222-3333-4444-555555555555',
  clientSecret: 'a secret of the application',
};
const key = { account: 'devstoreaccount1', key: Buffer.from('a key').toString('base64') };
/** The account name of a server at a loopback address. */
const ACCOUNT = 'devstoreaccount1';

async function serving<T>(handle: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Returns a store on a test server. */
const placed = (url: string, retry = PATIENCE): ObjectStore =>
  azureStore({ serviceUrl: `${url}/${ACCOUNT}`, container: 'exports', credentials: key }, retry);

test('put signs requests with the account key', async () => {
  const paths: string[] = [];
  const handle: RequestListener = async (request, answer) => {
    paths.push(`${request.method} ${request.url} ${await text(request)}`);
    assert.match(request.headers.authorization ?? '', /^SharedKey devstoreaccount1:.{44}$/);
    answer.writeHead(201, { etag: '"1"', 'last-modified': new Date().toUTCString() }).end();
  };
  await serving(handle, (url) => placed(url).put('a/b c', Buffer.from('content')));
  assert.deepEqual(paths, [`PUT /${ACCOUNT}/exports/a/b%20c?timeout=60 content`]);
});

for (const [status, code, trouble] of [
  [403, 'AuthorizationPermissionMismatch', 'denied'],
  [404, 'ContainerNotFound', 'absent'],
  [500, 'InternalError', 'unavailable'],
] as const) {
  test(`a response ${status} ${code} means ${trouble}`, async () => {
    const handle: RequestListener = (_, answer) =>
      answer.writeHead(status, { 'x-ms-error-code': code }).end();
    await serving(handle, async (url) => {
      const store = placed(url);
      const asked = [() => store.put('a', Buffer.from('a')), () => store.get('a'), () => store.list('')];
      for (const ask of asked) await assert.rejects(ask, { name: 'BucketError', trouble });
    });
  });
}

test('a request without a response times out', async () => {
  await serving(
    () => {},
    (url) => assert.rejects(placed(url, IMPATIENCE).put('a', Buffer.from('a')), { trouble: 'unavailable' }),
  );
});

test('an application gets a token from its tenant', async () => {
  const handle: RequestListener = async (request, answer) => {
    const body = new URLSearchParams(await text(request));
    assert.equal(`${request.method} ${request.url}`, `POST /${application.tenantId}/oauth2/v2.0/token`);
    assert.deepEqual(Object.fromEntries(body), {
      grant_type: 'client_credentials',
      client_id: application.clientId,
      client_secret: application.clientSecret,
      scope: 'https://storage.azure.com/.default',
    });
    answer.end(JSON.stringify({ access_token: 'a token', expires_in: 3600 }));
  };
  await serving(handle, async (authority) => {
    const credential = applicationCredential({ ...application, authority }, PATIENCE.timeoutMs);
    const { token, expiresOnTimestamp } = await credential.getToken('https://storage.azure.com/.default');
    assert.equal(token, 'a token');
    assert.ok(expiresOnTimestamp > Date.now() + 3_500_000);
  });
});

test('an unknown application is denied', async () => {
  const handle: RequestListener = (_, answer) => answer.writeHead(401).end('{}');
  await serving(handle, async (authority) => {
    const credential = applicationCredential({ ...application, authority }, PATIENCE.timeoutMs);
    await assert.rejects(credential.getToken('scope'), { trouble: 'denied' });
  });
});
