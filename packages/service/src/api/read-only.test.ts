import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { DateTime, ignored, LatestTime, Links, readOnly } from './fields.ts';
import { NO_DOCUMENT } from './operation.ts';
import { GROUP, operation, testApi, variant } from './testing.ts';

const Ship = Type.Object({
  built: readOnly(DateTime()),
  decks: Type.Optional(
    Type.Array(Type.Object({ id: readOnly(Type.String()), level: Type.Integer() }), { maxItems: 2 }),
  ),
  groupId: readOnly(Type.String()),
  id: readOnly(Type.String()),
  links: Links,
  name: Type.String(),
  painted: LatestTime(),
  seen: readOnly(ignored(DateTime())),
});

const FormerShip = Type.Object({ name: Type.String(), number: readOnly(Type.String()) });

const plain = {
  summary: '',
  tag: 'Ships',
  access: 'Project Owner',
  path: '/groups/{groupId}/ship',
  reply: Ship,
  status: 200,
} as const;

const stored = {
  built: new Date('2024-08-05T07:30:00.500Z'),
  decks: [{ id: 'd', level: 1 }],
  groupId: GROUP,
  id: 'i',
  name: 'Ark',
  painted: new Date('2024-08-05T07:30:00.500Z'),
};

const versions = {
  '2023-01-01': { reply: FormerShip, write: (ship: object) => ({ ...ship, number: `No. ${stored.id}` }) },
  '2025-03-12': 'same',
} as const;

const getShip = operation({ ...plain, id: 'getShip', method: 'GET', versions, handler: async () => stored });

const changeShip = operation({
  ...plain,
  id: 'changeShip',
  method: 'PATCH',
  body: Ship,
  reply: Type.Object({ name: Type.String(), sent: Type.String() }),
  versions: { '2023-01-01': { body: FormerShip }, '2025-03-12': 'same' },
  handler: async ({ body }) => ({ name: body.name, sent: JSON.stringify(body) }),
});

const createShip = variant(changeShip, { id: 'createShip', method: 'POST', reply: Ship });

/**
 * Returns a function that sends a body. This function returns the fields that the handler received or, if the body
 * was rejected, the fields that the error names.
 */
async function sender(t: Parameters<typeof testApi>[0], operations: Parameters<typeof testApi>[1]) {
  const { send } = await testApi(t, operations);
  return async (method: 'PATCH' | 'POST', payload: unknown, base = '/api/service/v2') => {
    const url = `${base}/groups/${GROUP}/ship`;
    const headers = { 'content-type': 'application/json' };
    const { error, errorCode, parameters, sent } = (
      await send({ method, url, headers, payload: JSON.stringify(payload) })
    ).json();
    return error === undefined ? sent && JSON.parse(sent) : [error, errorCode, parameters];
  };
}

const refused = (path: string) => [400, 'ATTRIBUTE_READ_ONLY', [path]];

test('an update may repeat the read-only values that GET returns, which do not reach the handler', async (t) => {
  const send = await sender(t, [getShip, changeShip]);
  const name = 'Ark';
  const same = {
    id: 'i',
    groupId: GROUP,
    built: '2024-08-05T09:30:00+02:00',
    links: [{ href: '', rel: '' }],
  };
  assert.deepEqual(await send('PATCH', { ...same, name, decks: [{ id: 'd', level: 2, links: [] }] }), {
    name,
    decks: [{ level: 2 }],
  });
  for (const [fields, path] of [
    [{ id: 'j' }, 'id'],
    [{ built: '2024-08-05T07:30:01Z' }, 'built'],
    [{ built: 5 }, 'built'],
    [{ decks: [{ id: 'e', level: 1 }] }, 'decks.0.id'],
    [{ decks: [{ level: 1 }, { id: 'd', level: 1 }] }, 'decks.1.id'],
  ] as const) {
    assert.deepEqual(await send('PATCH', { name, ...fields }), refused(path));
  }
});

test('an update repeats the values of the version that it is in', async (t) => {
  const send = await sender(t, [getShip, changeShip]);
  const former = '/api/service/v1.0';
  assert.deepEqual(await send('PATCH', { name: 'Ark', number: 'No. i' }, former), { name: 'Ark' });
  assert.deepEqual(await send('PATCH', { name: 'Ark', number: 'i' }, former), refused('number'));
});

test('an update of an entity that GET does not return may repeat nothing', async (t) => {
  const empty = variant(getShip, { handler: async () => NO_DOCUMENT, mayBeEmpty: true });
  const send = await sender(t, [empty, changeShip]);
  assert.deepEqual(await send('PATCH', { name: 'Ark', id: 'i' }), refused('id'));
});

test('a creation may repeat only the parameters of its path', async (t) => {
  const send = await sender(t, [getShip, createShip]);
  assert.equal(await send('POST', { name: 'Ark', groupId: GROUP }), undefined);
  assert.deepEqual(await send('POST', { name: 'Ark', groupId: 'g' }), refused('groupId'));
  assert.deepEqual(await send('POST', { name: 'Ark', id: 'i' }), refused('id'));
});

test('an operation may name other values that can be repeated', async (t) => {
  const repeating = variant(createShip, {
    repeatable: async ({ body }) => ({ id: `ship ${(body as { name: string }).name}` }),
  });
  const send = await sender(t, [repeating]);
  assert.equal(await send('POST', { name: 'Ark', id: 'ship Ark' }), undefined);
  assert.deepEqual(await send('POST', { name: 'Ark', id: 'ship' }), refused('id'));
  assert.deepEqual(await send('POST', { name: 'Ark', groupId: GROUP }), refused('groupId'));
});

test('every element of a body that is a list may repeat the same values', async (t) => {
  const many = variant(createShip, {
    body: Type.Array(Ship, { maxItems: 3 }),
    handler: async () => ({ name: 'all' }),
  });
  const send = await sender(t, [many]);
  const one = { name: 'Ark', groupId: GROUP };
  assert.equal(await send('POST', [one, one]), undefined);
  assert.deepEqual(await send('POST', [one, { ...one, groupId: 'g' }]), refused('1.groupId'));
});

test('an ignored read-only field may have any value', async (t) => {
  const send = await sender(t, [getShip, changeShip]);
  assert.deepEqual(await send('PATCH', { name: 'Ark', seen: 'yesterday' }), { name: 'Ark' });
});

test('a time that the service moves forward may repeat an earlier value', async (t) => {
  const send = await sender(t, [getShip, changeShip]);
  const name = 'Ark';
  for (const painted of ['2024-08-05T07:30:00Z', '2024-08-05T09:29:59+02:00', '2020-01-01'])
    assert.deepEqual(await send('PATCH', { name, painted }), { name }, painted);
  for (const painted of ['2024-08-05T07:30:01Z', 'yesterday', 5])
    assert.deepEqual(await send('PATCH', { name, painted }), refused('painted'));
});
