import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import Type from 'typebox';
import { touchScope } from '../store/index.ts';
import { errorBody, GROUP, getThing, ORG, operation, parameters, testApi, variant } from './testing.ts';

const path = `/api/service/v2/groups/${GROUP}/thing`;
const as = (name: string) => ({ authorization: `Bearer ${name}` });

test('a caller without the role gets 401, unless the operation declares another fault', async (t) => {
  const { NOT_A_SAILOR } = faults({ NOT_A_SAILOR: [401, 'Only sailors may see {0}.'] });
  const refusal = (params: unknown) => NOT_A_SAILOR((params as { groupId: string }).groupId);
  const special = variant(getThing, { id: 'special', path: '/groups/{groupId}/special', refusal });
  const { send } = await testApi(t, [getThing, special]);
  const answer = await send({ url: path, headers: as('stranger') });
  assert.deepEqual(
    answer.json(),
    errorBody(
      401,
      'USER_UNAUTHORIZED',
      [],
      'The caller has none of the roles that this operation accepts. It requires the role Project Read Only.',
      'Unauthorized',
    ),
  );
  assert.equal(answer.headers['www-authenticate'], undefined);
  const own = await send({ url: `/api/service/v2/groups/${GROUP}/special`, headers: as('stranger') });
  assert.deepEqual([own.json().errorCode, own.json().parameters], ['NOT_A_SAILOR', [GROUP]]);
});

test('a caller with an access list is accepted only from its addresses', async (t) => {
  const { app, send } = await testApi(t, [getThing]);
  const outside = await send({ url: path, headers: as('elsewhere') });
  assert.deepEqual(
    outside.json(),
    errorBody(
      403,
      'IP_ADDRESS_NOT_ON_ACCESS_LIST',
      ['127.0.0.1'],
      'The address 127.0.0.1 is not on the access list of the caller.',
      'Forbidden',
    ),
  );
  const inside = await app.inject({ url: path, remoteAddress: '203.0.113.7', headers: as('elsewhere') });
  assert.equal(inside.statusCode, 200);
  const pretended = { ...as('elsewhere'), 'x-forwarded-for': '203.0.113.7' };
  assert.equal((await send({ url: path, headers: pretended })).statusCode, 403);
});

test('behind a trusted proxy the caller’s address is the one that the proxy forwards', async (t) => {
  const { send } = await testApi(t, [getThing], { trustedProxies: ['127.0.0.1'] });
  const forwarded = { ...as('elsewhere'), 'x-forwarded-for': '203.0.113.7' };
  assert.equal((await send({ url: path, headers: forwarded })).statusCode, 200);
});

test('a handler receives the caller, the scope, and a check of roles elsewhere', async (t) => {
  const whoCalls = operation({
    id: 'whoCalls',
    summary: 'Answers what the handler knows.',
    tag: 'Things',
    method: 'GET',
    path: '/groups/{groupId}/thing',
    access: 'Project Read Only',
    reply: Type.Unknown(),
    status: 200,
    handler(call) {
      const { actor, caller, params, remoteAddress, scope, version } = call;
      const mayWrite = call.may('Project Owner', { kind: 'group', id: GROUP, orgId: ORG });
      const told = { actor, caller: caller.name, mayWrite, params, remoteAddress, scope, version };
      return Promise.resolve(told as never);
    },
  });
  const { send } = await testApi(t, [whoCalls]);
  const answer = await send({ url: path, headers: as('reader') });
  assert.deepEqual(answer.json(), {
    actor: { apiKeyId: 'id of reader', publicKey: 'reader', remoteAddress: '127.0.0.1' },
    caller: 'reader',
    mayWrite: false,
    params: { groupId: GROUP },
    remoteAddress: '127.0.0.1',
    scope: { id: GROUP, kind: 'group', orgId: ORG },
    version: '2025-03-12',
  });
  assert.equal((await send({ url: path })).json().mayWrite, true);
});

test('any caller may call an operation that only requires credentials, and anyone may call one that requires none', async (t) => {
  const open = { path: '/things', access: 'any caller' } as const;
  const free = { id: 'free', path: '/free', access: 'no credentials' } as const;
  const { app, send } = await testApi(t, [variant(getThing, open), variant(getThing, free)]);
  assert.equal((await send({ url: '/api/service/v2/things', headers: as('stranger') })).statusCode, 200);
  assert.equal((await app.inject({ url: '/api/service/v2/things' })).statusCode, 401);
  assert.equal((await app.inject({ url: '/api/service/v2/free' })).statusCode, 200);
});

test('only the operator token gives access to operator endpoints', async (t) => {
  const steer = variant(getThing, { id: 'steer', path: '/clock', access: 'operator', surface: 'operator' });
  const { app, send } = await testApi(t, [getThing, steer]);
  const url = '/operator/v1/clock';
  const answer = await send({ url, headers: as('operator') });
  assert.deepEqual([answer.json(), answer.headers['content-type']], [{ name: 'thing' }, 'application/json']);
  for (const headers of [as('owner'), {}]) {
    const refused = await app.inject({ url, headers });
    assert.deepEqual([refused.statusCode, refused.json().errorCode], [401, 'UNAUTHORIZED']);
    assert.equal((await app.inject({ url: '/operator/v1/nothing', headers })).statusCode, 401);
  }
  assert.equal((await send({ url: '/operator/v1/nothing', headers: as('operator') })).statusCode, 404);
  assert.equal((await send({ method: 'PUT', url, headers: as('operator') })).headers.allow, 'GET, HEAD');
  assert.equal(
    (await send({ url: '/api/service/v2/clock' })).statusCode,
    404,
    'not an operation of the service',
  );
  assert.equal((await send({ url: path, headers: as('operator') })).statusCode, 401);
});

test('a project is looked up once, and again after a touch', async (t) => {
  const looked: string[] = [];
  const { groupId } = parameters;
  assert.ok(groupId?.scope);
  const { scope } = groupId;
  const load: typeof scope.load = (tx, id) => {
    looked.push(id);
    return scope.load(tx, id);
  };
  const { send, store } = await testApi(t, [getThing], {
    parameters: { groupId: { ...groupId, scope: { ...scope, load } } },
  });
  await send({ url: path });
  await send({ url: path });
  assert.deepEqual(looked, [GROUP]);
  await store.write(async (tx) => touchScope(tx, { kind: 'group', id: GROUP }));
  await send({ url: path });
  assert.deepEqual(looked, [GROUP, GROUP]);
});

test('requests of the service itself are exempt from declared faults', async (t) => {
  const injectFault = () => assert.fail('it was asked for one');
  const { app } = await testApi(t, [getThing], { injectFault });
  const headers = { authorization: 'Bearer owner' };
  assert.deepEqual(await app.request({ method: 'GET', target: path, headers }), {
    status: 200,
    text: '{"name":"thing"}',
  });
  const refused = await app.request({ method: 'GET', target: path, headers: {} });
  assert.equal(refused.status, 401);
});
