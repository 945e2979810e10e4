import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { guardedFetch } from '@portolan/foundation/outgoing/guarded-fetch';
import { portOf } from '@portolan/test-support/listening';
import { Provider } from './provider.ts';

/** Opens a provider whose metadata and keys contain many objects. */
async function hostile(t: TestContext, place: 'metadata' | 'keys') {
  const many = Array(10_000).fill({});
  const server = createServer((request, response) => {
    const isMetadata = request.url?.includes('.well-known') === true;
    const body = isMetadata
      ? {
          issuer,
          authorization_endpoint: `${issuer}/login`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...(place === 'metadata' && { many }),
        }
      : { keys: [], many };
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/token' ? JSON.stringify(tokens(issuer)) : JSON.stringify(body));
  });
  const issuer = `http://127.0.0.1:${await portOf(t, server)}`;
  return new Provider({
    settings: { issuer, clientId: 'portolan', clientSecret: undefined },
    rules: { source: 'provider', userClaim: 'sub' },
    callback: 'http://127.0.0.1/callback',
    scopes: [],
    machine: machineClock(),
    fetch: guardedFetch({ allowPrivate: true, timeout: 180_000 }),
  });
}

function tokens(issuer: string): object {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'portolan', sub: 'ada', nonce: 'nonce', iat: now, exp: now + 600 };
  const token = `${part({ alg: 'RS256' })}.${part(claims)}.${part({})}`;
  return { access_token: 'secret', token_type: 'bearer', id_token: token };
}

const expected = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) };

test('metadata with very many values are rejected', async (t) => {
  const provider = await hostile(t, 'metadata');
  await assert.rejects(provider.loginUrl(expected), hasCause(/more than 2000 values/));
});

test('keys with very many values are rejected', async (t) => {
  const provider = await hostile(t, 'keys');
  assert.match(await provider.loginUrl(expected), /login\?/);
  const response = provider.identityOf({ code: 'code', state: 'state' }, expected);
  await assert.rejects(response, hasCause(/more than 2000 values/));
});

function hasCause(pattern: RegExp): (error: Error) => boolean {
  return (error) => {
    for (let one: unknown = error; one instanceof Error; one = one.cause)
      if (pattern.test(one.message)) return true;
    throw error;
  };
}
