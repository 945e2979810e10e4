import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { machineClock } from '@portolan/foundation/clock';
import { Fault } from '@portolan/foundation/faults';
import { emptyDatabase } from '@portolan/test-support/databases';
import { portOf } from '@portolan/test-support/listening';
import * as openid from 'openid-client';
import { openServerCertificate, serverNames } from './authority.ts';
import { Challenge, challengeBody } from './challenge.ts';
import { createServiceAccount } from './principals.ts';
import { newKey, openInstance, TEST_ORG, type TestInstance } from './testing.ts';
import type { OAuthAnswer } from './tokens/oauth.ts';

/**
 * These tests show that common HTTP clients can authenticate. The server of a test does nothing but
 * authenticate.
 */

function answering({ access }: TestInstance) {
  const oauthPaths = new Map([
    ['/api/oauth/token', access.oauth.token],
    ['/api/oauth/revoke', access.oauth.revoke],
  ]);
  return async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { method = '', url: target = '' } = request;
    const { authorization, 'content-type': contentType } = request.headers;
    const address = request.socket.remoteAddress ?? '';
    const oauth = oauthPaths.get(target);
    if (oauth) return sendOAuth(response, await oauth({ authorization, contentType, body, address }));
    try {
      const caller = await access.authenticate({ method, target, authorization, address });
      response.end(`${method} ${caller.name} ${body}`);
    } catch (fault) {
      assert.ok(fault instanceof Fault, String(fault));
      const headers = Object.entries(fault.headers ?? {});
      for (const [name, value] of headers)
        response.setHeader(name, typeof value === 'string' ? value : [...value]);
      response.statusCode = fault.status;
      response.end(fault instanceof Challenge ? challengeBody(fault) : fault.code);
    }
  };
}

function sendOAuth(response: ServerResponse, answer: OAuthAnswer): void {
  response.writeHead(answer.status, { ...answer.headers, 'content-type': 'application/json' });
  response.end(answer.document ? JSON.stringify(answer.document) : undefined);
}

async function secureServer(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'portolan-clients-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const instance = await openInstance(t, await emptyDatabase.sqlite(t), {
    ...machineClock(),
    advance,
    setBack: advance,
    sleep: advance,
  });
  const authorityFile = join(directory, 'ca.pem');
  const names = serverNames('127.0.0.1', 'https://localhost');
  const certificate = await openServerCertificate({ ...instance, names, authorityFile });
  t.after(() => certificate.close());
  const port = await portOf(t, createServer(certificate.current(), answering(instance)));
  const curl = async (path: string, ...args: string[]) => {
    const common = ['--silent', '--show-error', '--max-time', '300', '--cacert', authorityFile];
    const url = `https://127.0.0.1:${port}${path}`;
    const { stdout } = await promisify(execFile)('curl', [
      ...common,
      '--write-out',
      '\n%{http_code}',
      ...args,
      url,
    ]);
    return stdout;
  };
  return { instance, curl };
}

/** This function must not be called: the server uses the machine's clock, which a test cannot advance. */
function advance(): never {
  throw new Error('This test uses the clock of the machine');
}

test('curl authenticates with Digest, with a body and with several requests on one connection', async (t) => {
  const { instance, curl } = await secureServer(t);
  const { publicKey, privateKey } = await newKey(instance);
  const user = ['--digest', '--user', `${publicKey}:${privateKey}`];
  assert.equal(await curl('/api/service/v2/groups?pretty=true', ...user), `GET ${publicKey} \n200`);
  assert.equal(await curl('/a%20path/%C3%A9?x={y}', '--globoff', ...user), `GET ${publicKey} \n200`);
  assert.equal(
    await curl('/groups', ...user, '--data', '{"name":"x"}'),
    `POST ${publicKey} {"name":"x"}\n200`,
  );
  const twice = await curl('/groups?[1-3]', ...user);
  assert.equal(twice, `GET ${publicKey} \n200`.repeat(3));
});

test('curl with a wrong private key gets a 401 with the indented body', async (t) => {
  const { instance, curl } = await secureServer(t);
  const { publicKey } = await newKey(instance);
  const answer = await curl('/groups', '--digest', '--user', `${publicKey}:wrong`);
  assert.match(answer, /^\{\n {2}"error": 401,\n {2}"reason": "Unauthorized",/);
  assert.ok(answer.endsWith('\n401'));
});

test('a common OAuth client gets a token, uses it and revokes it', async (t) => {
  const instance = await openInstance(t, await emptyDatabase.sqlite(t), {
    ...machineClock(),
    advance,
    setBack: advance,
    sleep: advance,
  });
  const port = await portOf(t, createHttpServer(answering(instance)));
  const base = `http://127.0.0.1:${port}`;
  const input = { orgId: TEST_ORG, name: 'ci', description: 'continuous integration' };
  const account = await instance.store.write((tx) => createServiceAccount(tx, instance, input));
  const server = {
    issuer: base,
    token_endpoint: `${base}/api/oauth/token`,
    revocation_endpoint: `${base}/api/oauth/revoke`,
  };
  const method = openid.ClientSecretBasic(account.secret.clear);
  const configuration = new openid.Configuration(server, account.clientId, account.secret.clear, method);
  openid.allowInsecureRequests(configuration);
  const { access_token, token_type, expires_in } = await openid.clientCredentialsGrant(configuration);
  assert.deepEqual([token_type, expires_in], ['bearer', 3600]);
  const call = () => fetch(`${base}/groups`, { headers: { authorization: `Bearer ${access_token}` } });
  assert.equal(await (await call()).text(), `GET ${account.clientId} `);
  await openid.tokenRevocation(configuration, access_token);
  const refused = await call();
  assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, null]);
});
