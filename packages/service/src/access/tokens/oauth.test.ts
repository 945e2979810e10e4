import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyDatabase, onEachDatabase } from '@portolan/test-support/databases';
import { removePrincipalsOf } from '../grants.ts';
import { createServiceAccount } from '../principals.ts';
import { openInstance, send, TEST_ADDRESS, TEST_ORG, type TestInstance } from '../testing.ts';
import type { OAuthRequest } from './oauth.ts';

interface Client {
  readonly id: string;
  readonly secret: string;
}

async function newClient(instance: TestInstance, secretExpiresAt?: Date): Promise<Client> {
  const input = { orgId: TEST_ORG, name: 'an account', description: 'for tests', secretExpiresAt };
  const { clientId, secret } = await instance.store.write((tx) => createServiceAccount(tx, instance, input));
  return { id: clientId, secret: secret.clear };
}

function request({ id, secret }: Client, form: Record<string, string>, more: Partial<OAuthRequest> = {}) {
  return {
    authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(form).toString(),
    address: TEST_ADDRESS,
    ...more,
  };
}

const grant = { grant_type: 'client_credentials' };

async function tokenFor({ access }: TestInstance, client: Client): Promise<string> {
  const answer = await access.oauth.token(request(client, grant));
  assert.equal(answer.status, 200, JSON.stringify(answer.document));
  return String(answer.document?.access_token);
}

const call = (instance: TestInstance, token: string) =>
  send(instance, { authorization: `Bearer ${token}` }).then((caller) => caller.name);

const unauthorized = { code: 'UNAUTHORIZED', status: 401, headers: undefined };

onEachDatabase('a service account gets a token that is valid for one hour', async (t, database) => {
  const instance = await openInstance(t, database);
  const client = await newClient(instance);
  assert.match(client.id, /^db_sa_id_[0-9a-f]{24}$/);
  assert.match(client.secret, /^db_sa_sk_[A-Za-z0-9_-]{40}$/);
  const { document, headers } = await instance.access.oauth.token(request(client, grant));
  assert.deepEqual(
    { ...document, access_token: '' },
    { access_token: '', expires_in: 3600, token_type: 'Bearer' },
  );
  assert.equal(headers['Cache-Control'], 'no-store');
  const token = String(document?.access_token);
  const caller = await send(instance, { authorization: `bearer ${token}` });
  assert.deepEqual([caller.kind, caller.id, caller.orgId], ['serviceAccount', client.id, TEST_ORG]);
  instance.machine.advance(3_599_000);
  assert.equal(await call(instance, token), client.id);
  instance.machine.advance(1000);
  await assert.rejects(call(instance, token), unauthorized);
  const next = await openInstance(t, database, instance.machine);
  await assert.rejects(call(next, token), unauthorized);
});

onEachDatabase('a token stays valid after a restart, unless it was revoked', async (t, database) => {
  const first = await openInstance(t, database);
  const client = await newClient(first);
  const [kept, revoked] = [await tokenFor(first, client), await tokenFor(first, client)];
  assert.equal(await call(first, revoked), client.id);
  const answer = await first.access.oauth.revoke(
    request(client, { token: revoked, token_type_hint: 'access_token' }),
  );
  assert.deepEqual([answer.status, answer.document], [200, undefined]);
  first.machine.advance(1000);
  await assert.rejects(call(first, revoked), unauthorized);
  await first.close();
  const second = await openInstance(t, database, first.machine);
  assert.equal(await call(second, kept), client.id);
  await assert.rejects(call(second, revoked), unauthorized);
  assert.equal((await second.access.oauth.revoke(request(client, { token: revoked }))).status, 200);
});

test('a token is valid at every instance, and a revocation takes effect at all of them within a second', async (t) => {
  const database = await emptyDatabase.postgres(t);
  const [here, there] = [await openInstance(t, database), await openInstance(t, database)];
  const client = await newClient(here);
  const token = await tokenFor(here, client);
  assert.equal(await call(there, token), client.id);
  await here.access.oauth.revoke(request(client, { token }));
  there.machine.advance(1000);
  await assert.rejects(call(there, token), unauthorized);
});

onEachDatabase('tokens of a deleted account are invalid', async (t, database) => {
  const instance = await openInstance(t, database);
  const client = await newClient(instance);
  const token = await tokenFor(instance, client);
  assert.equal(await call(instance, token), client.id);
  await instance.store.write((tx) => removePrincipalsOf(tx, TEST_ORG));
  instance.machine.advance(1000);
  await assert.rejects(call(instance, token), unauthorized);
  assert.equal((await instance.access.oauth.token(request(client, grant))).status, 401);
});

onEachDatabase('a secret is valid until it expires', async (t, database) => {
  const instance = await openInstance(t, database);
  const client = await newClient(instance, new Date(instance.machine.now() + 8 * 3_600_000));
  instance.machine.advance(8 * 3_600_000 - 1);
  await tokenFor(instance, client);
  instance.machine.advance(1);
  const { status, document } = await instance.access.oauth.token(request(client, grant));
  assert.deepEqual([status, document?.error], [401, 'invalid_client']);
});

onEachDatabase('a token expires no later than its secret, by service time', async (t, database) => {
  const instance = await openInstance(t, database);
  const { clock, machine } = instance;
  const client = await newClient(instance, new Date(machine.now() + 600_000));
  const { document } = await instance.access.oauth.token(request(client, grant));
  assert.equal(document?.expires_in, 600);
  const token = String(document?.access_token);
  machine.advance(599_999);
  assert.equal(await call(instance, token), client.id);
  clock.set({ at: clock.now().getTime() + 1, since: machine.now(), rate: 1 });
  await assert.rejects(call(instance, token), unauthorized);
});

test('a foreign token is rejected without a challenge', async (t) => {
  const database = await emptyDatabase.sqlite(t);
  const instance = await openInstance(t, database);
  const token = await tokenFor(instance, await newClient(instance));
  const [head = '', body = '', signature = ''] = token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
  const changed = Buffer.from(body, 'base64url')
    .toString()
    .replace(/db_sa_id_./, 'db_sa_id_0');
  for (const wrong of [
    'x',
    `${none}.${body}.`,
    `${none}.${body}.${signature}`,
    `${head}.${Buffer.from(changed.replace(/"exp":\d/, '"exp":9')).toString('base64url')}.${signature}`,
    `${head}.${body}`,
    `${token}a`,
    'a'.repeat(3000),
  ]) {
    await assert.rejects(call(instance, wrong), unauthorized, wrong);
  }
});

test('the token endpoint returns an error for each invalid request', async (t) => {
  const database = await emptyDatabase.sqlite(t);
  const { access, ...rest } = await openInstance(t, database);
  const client = await newClient({ access, ...rest });
  const answerTo = async (form: Record<string, string>, more: Partial<OAuthRequest> = {}) => {
    const { status, document } = await access.oauth.token(request(client, form, more));
    return [status, document?.error];
  };
  assert.deepEqual(await answerTo({}), [400, 'invalid_request']);
  assert.deepEqual(await answerTo({ grant_type: '' }), [400, 'invalid_request']);
  assert.deepEqual(await answerTo({ grant_type: 'password' }), [400, 'unsupported_grant_type']);
  assert.deepEqual(await answerTo(grant, { contentType: 'application/json' }), [400, 'invalid_request']);
  const twice = 'grant_type=client_credentials&grant_type=client_credentials';
  assert.deepEqual(await answerTo(grant, { body: twice }), [400, 'invalid_request']);
  for (const authorization of [undefined, 'Bearer x', 'Basic', 'Basic %%%', `Basic ${btoa('nocolon')}`]) {
    assert.deepEqual(await answerTo(grant, { authorization }), [401, 'invalid_client']);
  }
  const escaped = `Basic ${btoa(`${client.id}:%zz`)}`;
  assert.deepEqual(await answerTo(grant, { authorization: escaped }), [401, 'invalid_client']);
  const spelled = { contentType: 'Application/X-WWW-Form-Urlencoded; charset=utf-8' };
  assert.deepEqual(await answerTo({ ...grant, scope: 'all' }, spelled), [200, undefined]);
});

onEachDatabase('an impossible client id is rejected like an unknown one', async (t, database) => {
  const { access } = await openInstance(t, database);
  for (const id of ['\0', 'db_sa_id_\0', 'ö', 'a'.repeat(300)]) {
    const { status, document } = await access.oauth.token(request({ id, secret: 'x' }, grant));
    assert.deepEqual([status, document?.error], [401, 'invalid_client'], id);
  }
});

onEachDatabase('the revocation endpoint returns an error for each invalid request', async (t, database) => {
  const instance = await openInstance(t, database);
  const [client, other] = [await newClient(instance), await newClient(instance)];
  const token = await tokenFor(instance, client);
  const answerTo = async (by: Client, form: Record<string, string>) => {
    const { status, document } = await instance.access.oauth.revoke(request(by, form));
    return [status, document?.error];
  };
  assert.deepEqual(await answerTo(client, {}), [400, 'invalid_request']);
  assert.deepEqual(await answerTo(client, { token: 'unknown' }), [200, undefined]);
  assert.deepEqual(await answerTo(other, { token }), [400, 'invalid_grant']);
  assert.deepEqual(await answerTo({ ...client, secret: 'x' }, { token }), [401, 'invalid_client']);
  instance.machine.advance(1000);
  assert.equal(await call(instance, token), client.id);
});

onEachDatabase('five wrong secrets block that client at that address', async (t, database) => {
  const instance = await openInstance(t, database);
  const client = await newClient(instance);
  for (const id of [client.id, 'db_sa_id_000000000000000000000000']) {
    for (let count = 1; count <= 5; count++) {
      assert.equal((await instance.access.oauth.token(request({ id, secret: 'x' }, grant))).status, 401);
    }
    const { status, document, headers } = await instance.access.oauth.token(
      request({ ...client, id }, grant),
    );
    assert.deepEqual([status, document?.error, headers['Retry-After']], [429, 'rate_limited', '60']);
  }
  const elsewhere = await instance.access.oauth.token(request(client, grant, { address: '203.0.113.8' }));
  assert.equal(elsewhere.status, 200);
});
