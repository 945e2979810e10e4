import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { entity } from './entity.ts';
import { GROUP, operation, PUBLIC_URL, parameters, testApi, variant } from './testing.ts';

const Ship = entity(
  Type.Object({ home: Type.Optional(Type.String()), name: Type.String(), size: Type.Integer() }),
  {
    name: 'ship',
    self: 'getShip',
    params: ({ name, home }) => ({ shipName: name, ...(home ? { harbour: home } : {}) }),
  },
);

const plain = { summary: '', tag: 'Ships', access: 'Project Read Only', status: 200 } as const;

const getShip = operation({
  ...plain,
  id: 'getShip',
  method: 'GET',
  path: '/groups/{groupId}/ships/{shipName}',
  reply: Ship,
  versions: {
    '2023-01-01': { reply: Type.Object({ title: Type.String() }), write: (ship) => ({ title: ship.name }) },
    '2025-03-12': 'same',
  },
  handler: async ({ params }) => ({ name: params.shipName, size: 3 }),
});

const createShip = operation({
  ...plain,
  id: 'createShip',
  method: 'POST',
  path: '/groups/{groupId}/ships',
  body: Type.Object({ name: Type.String() }),
  reply: Ship,
  status: 201,
  handler: async ({ body }) => ({ name: body.name, size: 0 }),
});

const listDecks = operation({
  ...plain,
  id: 'listDecks',
  method: 'GET',
  path: '/groups/{groupId}/ships/{shipName}/decks',
  reply: Type.String(),
  list: 'array',
  reachedFrom: { ship: 'decks' },
  handler: async () => [],
});

const getHarbour = variant(listDecks, {
  id: 'getHarbour',
  path: '/harbours/{harbour}',
  access: 'any caller',
  reachedFrom: { ship: 'harbour' },
});

const listCrew = variant(listDecks, {
  id: 'listCrew',
  path: '/groups/{groupId}/ships/{shipName}/crew',
  reachedFrom: { ship: 'crew' },
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
});

const notYet = variant(listDecks, {
  id: 'listSails',
  path: '/groups/{groupId}/ships/{shipName}/sails',
  reachedFrom: { ship: 'sails' },
  versions: { '2023-01-01': 'unavailable', '2025-03-12': 'unavailable' },
});

const harbour = { description: 'The harbour.' };

function service(t: Parameters<typeof testApi>[0], more: Parameters<typeof testApi>[2] = {}) {
  return testApi(t, [getShip, createShip, listDecks, listCrew, notYet, getHarbour], {
    parameters: { ...parameters, harbour },
    ...more,
  });
}

const V2 = `${PUBLIC_URL}/api/service/v2`;
const ship = `/groups/${GROUP}/ships/old%20ark`;

test('an entity links to itself and to related operations', async (t) => {
  const { send } = await service(t);
  assert.deepEqual((await send({ url: `/api/service/v2${ship}` })).json(), {
    links: [
      { href: V2 + ship, rel: 'self' },
      { href: `${V2}${ship}/crew`, rel: `${PUBLIC_URL}/crew` },
      { href: `${V2}${ship}/decks`, rel: `${PUBLIC_URL}/decks` },
    ],
    name: 'old ark',
    size: 3,
  });
});

test('links on the legacy path stay on it and omit later operations', async (t) => {
  const { send } = await service(t);
  const legacy = `${PUBLIC_URL}/api/service/v1.0`;
  assert.deepEqual((await send({ url: `/api/service/v1.0${ship}` })).json(), {
    links: [
      { href: legacy + ship, rel: 'self' },
      { href: `${legacy}${ship}/decks`, rel: `${PUBLIC_URL}/decks` },
    ],
    title: 'old ark',
  });
});

test('a created entity has a Location header', async (t) => {
  const { send } = await service(t);
  const url = `/api/service/v2/groups/${GROUP}/ships`;
  const answer = await send({ method: 'POST', url, payload: { name: 'a/b' } });
  assert.deepEqual([answer.statusCode, answer.headers.location], [201, `${V2}/groups/${GROUP}/ships/a%2Fb`]);
});

/** Returns the origin of the links in the response to a request with these headers. */
async function origin(send: Awaited<ReturnType<typeof service>>['send'], headers: Record<string, string>) {
  const answer = await send({ url: `/api/service/v2${ship}`, headers });
  return answer.json().links[0].href.replace(`/api/service/v2${ship}`, '');
}

test('links do not use a host that only the caller names', async (t) => {
  const { send } = await service(t);
  assert.equal(await origin(send, { host: 'evil.test' }), PUBLIC_URL);
  assert.equal(await origin(send, { host: 'service.test:8443' }), PUBLIC_URL);
  assert.equal(await origin(send, { host: 'localhost:8443' }), PUBLIC_URL);
  const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.test' };
  assert.equal(await origin(send, forwarded), PUBLIC_URL);
});

test('links use the origin that a trusted proxy forwards', async (t) => {
  const { send } = await service(t, { trustedProxies: ['127.0.0.0/8'] });
  const forwarded = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'api.example.org' };
  assert.equal(await origin(send, forwarded), 'https://api.example.org');
  assert.equal(await origin(send, { ...forwarded, 'x-forwarded-proto': 'http' }), 'http://api.example.org');
  assert.equal(await origin(send, { ...forwarded, 'x-forwarded-host': 'a b/c' }), PUBLIC_URL);
});
