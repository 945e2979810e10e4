import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { ABSENT, errorBody, GROUP, getThing, operation, parameters, testApi, variant } from './testing.ts';

const V2 = '/api/service/v2';
const LEGACY = '/api/service/v1.0';
const thing = `/groups/${GROUP}/thing`;

const echo = Type.Object({ name: Type.String() });

const getShip = operation({
  ...getThing,
  id: 'getShip',
  path: '/groups/{groupId}/ships/{shipName}',
  reply: echo,
  handler: async ({ params }) => ({ name: params.shipName }),
});

const launchShip = operation({
  ...getThing,
  id: 'launchShip',
  method: 'POST',
  path: '/groups/{groupId}/ships/{shipName}:launch',
  reply: echo,
  handler: async ({ params }) => ({ name: `${params.shipName} is launched` }),
});

const newOnly = variant(getThing, {
  id: 'getNewThing',
  path: '/groups/{groupId}/newThing',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  handler: async () => ({ name: 'new' }),
});

test('an unknown path is named without its query', async (t) => {
  const { send } = await testApi(t, [getThing]);
  const answer = await send({ url: `${V2}/nothing/here?a=b` });
  assert.equal(answer.statusCode, 404);
  assert.deepEqual(
    answer.json(),
    errorBody(
      404,
      'RESOURCE_NOT_FOUND',
      [`${V2}/nothing/here`],
      'Cannot find resource /api/service/v2/nothing/here.',
      'Not Found',
    ),
  );
});

test('malformed paths are not found, and require credentials like others', async (t) => {
  const { app, send } = await testApi(t, [getShip]);
  for (const path of [`${V2}/%zz`, `${V2}/groups/${GROUP}/ships/${'x'.repeat(5000)}`, '/', '/api', '*']) {
    const answer = await send({ url: path });
    assert.equal(answer.json().errorCode, 'RESOURCE_NOT_FOUND', path);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', path);
    assert.equal((await app.inject({ url: path })).statusCode, 401, path);
  }
  assert.equal((await send({ url: `${V2}/%zz?envelope=true` })).json().status, 404);
});

test('an unsupported method gets 405 with the supported ones', async (t) => {
  const { send, app } = await testApi(t, [getShip, variant(getShip, { id: 'deleteShip', method: 'DELETE' })]);
  const url = `${V2}/groups/${GROUP}/ships/a`;
  const answer = await send({ method: 'PUT', url });
  assert.equal(answer.statusCode, 405);
  assert.equal(answer.headers.allow, 'DELETE, GET, HEAD');
  assert.deepEqual(
    answer.json(),
    errorBody(405, 'UNEXPECTED_ERROR', [], 'The resource does not support PUT.', 'Method Not Allowed'),
  );
  assert.equal((await send({ method: 'OPTIONS', url })).statusCode, 405);
  assert.equal((await app.inject({ method: 'PUT', url })).statusCode, 401);
});

test('HEAD returns the headers of GET', async (t) => {
  const { send } = await testApi(t, [getThing]);
  const get = await send({ url: V2 + thing });
  const head = await send({ method: 'HEAD', url: V2 + thing });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, '');
  assert.equal(head.headers['content-length'], get.headers['content-length']);
  assert.equal(head.headers['content-type'], get.headers['content-type']);
});

test('an operation is served below both base paths, with or without a trailing slash', async (t) => {
  const { send } = await testApi(t, [getThing]);
  for (const base of [V2, LEGACY]) {
    for (const end of ['', '/']) {
      assert.deepEqual((await send({ url: base + thing + end })).json(), { name: 'thing' }, base);
    }
  }
});

test('a path value is decoded, and a custom method is separated from it', async (t) => {
  const { send } = await testApi(t, [getShip, launchShip]);
  const url = `${V2}/groups/${GROUP}/ships/10.0.0.0%2F8%20b`;
  assert.deepEqual((await send({ url })).json(), { name: '10.0.0.0/8 b' });
  const launched = await send({ method: 'POST', url: `${V2}/groups/${GROUP}/ships/titanic:launch` });
  assert.deepEqual(launched.json(), { name: 'titanic is launched' });
  const other = await send({ url: `${V2}/groups/${GROUP}/ships/titanic:sink` });
  assert.deepEqual(other.json(), { name: 'titanic:sink' });
});

test('a custom method takes precedence over a name that contains it', async (t) => {
  const { send } = await testApi(t, [
    getShip,
    variant(getShip, { id: 'sinkShip', method: 'DELETE' }),
    launchShip,
  ]);
  const url = `${V2}/groups/${GROUP}/ships/titanic:launch`;
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT'] as const) {
    const { statusCode, headers } = await send({ method, url });
    assert.deepEqual([statusCode, headers.allow], [405, 'POST'], method);
  }
});

test('a long path value reaches its operation', async (t) => {
  const { send } = await testApi(t, [getShip]);
  const name = 'x'.repeat(4000);
  assert.deepEqual((await send({ url: `${V2}/groups/${GROUP}/ships/${name}` })).json(), { name });
});

test('ids are checked before the project is looked up', async (t) => {
  const { send } = await testApi(t, [getThing]);
  const malformed = await send({ url: `${V2}/groups/xyz/thing` });
  assert.equal(malformed.statusCode, 404);
  assert.deepEqual(
    malformed.json(),
    errorBody(404, 'INVALID_GROUP_ID', ['xyz'], 'xyz is not the id of a project.', 'Not Found'),
  );
  const absent = await send({ url: `${V2}/groups/${ABSENT}/thing` });
  assert.deepEqual(
    absent.json(),
    errorBody(404, 'GROUP_NOT_FOUND', [ABSENT], `No project with id ${ABSENT} exists.`, 'Not Found'),
  );
});

test('an invalid parameter without a fault of its own is reported by name', async (t) => {
  const shipName = { description: 'The ship.', pattern: '^[a-z]+$' };
  const { send } = await testApi(t, [getShip], { parameters: { ...parameters, shipName } });
  const answer = await send({ url: `${V2}/groups/${GROUP}/ships/X1` });
  assert.deepEqual(
    answer.json(),
    errorBody(
      400,
      'INVALID_PATH_PARAMETER',
      ['shipName'],
      'The path parameter shipName has an invalid value.',
      'Bad Request',
      'shipName',
    ),
  );
});

test('a later operation does not exist on the legacy path', async (t) => {
  const { send } = await testApi(t, [newOnly]);
  assert.equal((await send({ url: `${V2}/groups/${GROUP}/newThing` })).statusCode, 200);
  const legacy = await send({ url: `${LEGACY}/groups/${GROUP}/newThing` });
  assert.equal(legacy.json().errorCode, 'RESOURCE_NOT_FOUND');
});

const boats = {
  tag: 'Boats',
  path: '/groups/{groupId}/boats',
  access: 'any caller',
  status: 200,
  handler: async () => {},
} as const;

const listBoats = operation({
  ...boats,
  id: 'listBoats',
  summary: 'Lists boats.',
  method: 'GET',
  versions: { '2023-01-01': 'unavailable', '2025-03-12': 'unavailable' },
});

const deleteBoats = operation({
  ...boats,
  id: 'deleteBoats',
  summary: 'Removes boats.',
  method: 'DELETE',
  versions: { '2024-08-05': 'unavailable', '2025-03-12': 'unavailable' },
});

test('an unavailable version returns 501 after all other checks', async (t) => {
  const { send, app } = await testApi(t, [listBoats, deleteBoats]);
  const url = `${V2}/groups/${GROUP}/boats`;
  const answer = await send({ url });
  assert.equal(answer.statusCode, 501);
  assert.deepEqual(
    answer.json(),
    errorBody(
      501,
      'OPERATION_NOT_AVAILABLE',
      ['listBoats'],
      'The operation listBoats is not available in this service.',
      'Not Implemented',
    ),
  );
  assert.equal((await app.inject({ url })).statusCode, 401);
  assert.equal((await send({ url: `${V2}/groups/${ABSENT}/boats` })).statusCode, 404);
  const tooOld = { accept: 'application/vnd.service.2022-01-01+json' };
  assert.equal((await send({ url, headers: tooOld })).statusCode, 406);
  assert.equal((await send({ method: 'DELETE', url })).json().parameters[0], 'deleteBoats');
  assert.equal((await send({ method: 'POST', url })).headers.allow, 'DELETE, GET, HEAD');
  const legacy = await send({ method: 'DELETE', url: `${LEGACY}/groups/${GROUP}/boats` });
  assert.equal(legacy.headers.allow, 'GET, HEAD', 'a later operation adds no method on the legacy path');
});

test('conflicting operations prevent the start', async (t) => {
  const refused = (operations: Parameters<typeof testApi>[1], reason: RegExp) =>
    assert.rejects(testApi(t, operations), reason);
  await refused([getThing, variant(getThing, { path: '/groups/{groupId}/other' })], /getThing and getThing/);
  await refused(
    [getShip, variant(getShip, { id: 'other', path: '/groups/{shipName}/ships/{groupId}' })],
    /getShip and other/,
  );
  await refused([variant(getThing, { path: '/things' })], /names no project or organization/);
  await refused([variant(getThing, { path: '/groups/{groupId}/{unknown}' })], /undeclared parameter unknown/);
});
