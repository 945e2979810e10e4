import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymous, bearer, fetchToken } from './support/client.ts';
import { expectFault, expectStatus, until, withinMinute } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onEachSetup } from './support/setups.ts';

onEachSetup('access tokens', (setup) => {
  const post = (path: string, form: Record<string, string>, secret = setup.bootstrap.clientSecret) =>
    setup.clientWith(anonymous).post(path, new URLSearchParams(form).toString(), {
      headers: {
        authorization: `Basic ${btoa(`${setup.bootstrap.clientId}:${secret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });

  const fresh = async () => {
    const [connection] = setup.connections;
    assert.ok(connection);
    const token = await fetchToken(connection, setup.bootstrap.clientId, setup.bootstrap.clientSecret);
    setup.keepOutOfLogs(token);
    return token;
  };

  const refusedEverywhere = (token: string) =>
    until(
      'refusal by every instance',
      async () => [
        await setup.clientWith(bearer(token)).get('/'),
        await setup.clientWith(bearer(token)).get('/'),
      ],
      (replies) => replies.every(({ status }) => status === 401),
    );

  const expectOAuthError = (reply: Reply, status: number, error: string) => {
    const body = expectStatus<{ error: string; error_description: string }>(reply, status);
    assert.equal(body.error, error);
    assert.equal(typeof body.error_description, 'string');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  };

  test('a service account gets a token that every instance accepts', async () => {
    const reply = await post('/api/oauth/token', { grant_type: 'client_credentials' });
    const { access_token, ...rest } = expectStatus(reply, 200);
    assert.deepEqual(rest, { expires_in: 3600, token_type: 'Bearer' });
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    const client = setup.clientWith(bearer(String(access_token)));
    for (let count = 0; count < 4; count++) expectStatus(await client.get('/groups'), 200);
  });

  test('a revoked token is rejected, and others are not', async () => {
    const [token, other] = [await fresh(), await fresh()];
    expectStatus(await setup.clientWith(bearer(token)).get('/'), 200);
    const revoked = await post('/api/oauth/revoke', { token, token_type_hint: 'access_token' });
    assert.deepEqual([revoked.status, revoked.text], [200, '']);
    const [refused] = await refusedEverywhere(token);
    assert.ok(refused);
    expectFault(refused, 401, 'UNAUTHORIZED');
    assert.equal(refused.headers.get('www-authenticate'), null);
    expectStatus(await setup.clientWith(bearer(other)).get('/'), 200);
    assert.equal((await post('/api/oauth/revoke', { token: 'unknown' })).status, 200);
  });

  test('rejects invalid tokens', async () => {
    const token = await fresh();
    for (const wrong of ['x', `${token}x`, token.slice(0, -1), setup.bootstrap.operatorToken]) {
      expectFault(await setup.clientWith(bearer(wrong)).get('/groups'), 401, 'UNAUTHORIZED');
    }
  });

  test('forged tokens block a client for a minute, but not its valid token', async () => {
    const { token, limited } = await withinMinute(async () => {
      const key = await setup.owner.post(`/orgs/${setup.bootstrap.orgId}/serviceAccounts`, {
        name: 'forged',
        description: 'forged',
        roles: ['ORG_MEMBER'],
        secretExpiresAfterHours: 8,
      });
      const { clientId, secrets } = expectStatus<{ clientId: string; secrets: [{ secret: string }] }>(
        key,
        201,
      );
      const [connection] = setup.connections;
      assert.ok(connection);
      const fetched = await fetchToken(connection, clientId, secrets[0].secret);
      for (const secret of [fetched, secrets[0].secret]) setup.keepOutOfLogs(secret);
      const [head, claims] = fetched.split('.');
      const forged = (count: number) =>
        setup
          .clientWith(bearer(`${head}.${claims}.${Buffer.alloc(64, count).toString('base64url')}`))
          .get('/groups');
      for (let count = 1; count <= 5; count++) expectFault(await forged(count), 401, 'UNAUTHORIZED');
      return { token: fetched, limited: await forged(6) };
    });
    expectFault(limited, 429, 'RATE_LIMITED', ['/api/service/v2/groups', 5, 1]);
    assert.ok(Number(limited.headers.get('retry-after')) > 0);
    for (const _ of setup.instances) expectStatus(await setup.clientWith(bearer(token)).get('/groups'), 200);
  });

  test('the token endpoints return an error for each invalid request', async () => {
    const token = '/api/oauth/token';
    expectOAuthError(await post(token, {}), 400, 'invalid_request');
    expectOAuthError(await post(token, { grant_type: 'password' }), 400, 'unsupported_grant_type');
    expectOAuthError(await post(token, { grant_type: 'client_credentials' }, 'wrong'), 401, 'invalid_client');
    expectOAuthError(await post('/api/oauth/revoke', {}), 400, 'invalid_request');
    const json = await setup.clientWith(anonymous).post(token, { grant_type: 'client_credentials' });
    assert.ok([400, 401].includes(json.status));
    const got = await setup.owner.get(token);
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST']);
  });

  test('operator paths require the operator token', async () => {
    expectStatus(await setup.operator.get('/operator/v1/clock'), 200);
    for (const client of [
      setup.owner,
      setup.account,
      setup.clientWith(bearer('x')),
      setup.clientWith(anonymous),
    ]) {
      expectFault(await client.get('/operator/v1/clock'), 401, 'UNAUTHORIZED');
      expectFault(await client.patch('/operator/v1/clock', { frozen: true }), 401, 'UNAUTHORIZED');
    }
    expectFault(await setup.operator.get('/groups'), 401, 'UNAUTHORIZED');
    const nowhere = await setup.operator.get('/operator/v1/nowhere');
    expectFault(nowhere, 404, 'RESOURCE_NOT_FOUND', ['/operator/v1/nowhere']);
  });
});
