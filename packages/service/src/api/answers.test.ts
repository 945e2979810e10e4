import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '@portolan/foundation/faults';
import { type Log, silentLog } from '@portolan/foundation/log';
import Type from 'typebox';
import { StoreError } from '../store/index.ts';
import { errorBody, GROUP, getThing, operation, testApi, variant } from './testing.ts';

const path = `/api/service/v2/groups/${GROUP}/thing`;
const { DUPLICATE_THING } = faults({ DUPLICATE_THING: [409, 'There is a thing {0} in {1} already.'] });

const throwing = (thrown: unknown) => variant(getThing, { handler: () => Promise.reject(thrown) });

test('every response has the common headers and an id', async (t) => {
  const { send } = await testApi(t, [getThing], { build: { version: '1.2.3', commit: 'abc' } });
  for (const url of [path, '/api/service/v2/nothing', '/healthz', '/api/service/v2/%zz']) {
    const { headers } = await send({ url });
    assert.equal(headers['x-content-type-options'], 'nosniff', url);
    assert.equal(headers['x-frame-options'], 'DENY', url);
    assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin', url);
    assert.equal(headers['x-permitted-cross-domain-policies'], 'none', url);
    assert.equal(headers['x-service-version'], 'gitHash=abc; versionString=1.2.3', url);
    assert.equal(headers.vary, 'Accept-Encoding', url);
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, url);
    assert.equal(headers['strict-transport-security'], undefined, 'not over plain HTTP');
  }
});

test('the caller’s request id is used if it is suitable for logs', async (t) => {
  const { send } = await testApi(t, [getThing]);
  const idFor = async (id: string) =>
    (await send({ url: path, headers: { 'x-request-id': id } })).headers['x-request-id'];
  assert.equal(await idFor('build-17.3:a_b'), 'build-17.3:a_b');
  for (const id of ['a b', 'x'.repeat(129), '{"a":1}', '']) assert.notEqual(await idFor(id), id);
});

test('a fault thrown by a handler becomes an error with its code in a header', async (t) => {
  const { send } = await testApi(t, [throwing(DUPLICATE_THING('a', 'b'))]);
  const answer = await send({ url: path });
  assert.equal(
    answer.body,
    JSON.stringify(
      errorBody(409, 'DUPLICATE_THING', ['a', 'b'], 'There is a thing a in b already.', 'Conflict'),
    ),
  );
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['x-error-code'], 'DUPLICATE_THING');
});

test('an error has an envelope if requested', async (t) => {
  const { send } = await testApi(t, [getThing]);
  const answer = await send({ url: '/api/service/v2/nothing?envelope=true' });
  assert.equal(answer.statusCode, 404);
  assert.deepEqual(Object.keys(answer.json()), ['content', 'status']);
  assert.deepEqual([answer.json().status, answer.json().content.errorCode], [404, 'RESOURCE_NOT_FOUND']);
});

test('missing credentials get a challenge in a form of its own', async (t) => {
  const { app } = await testApi(t, [getThing]);
  const answer = await app.inject({ url: path });
  assert.deepEqual(answer.headers['www-authenticate'], ['Digest realm="test"']);
  assert.deepEqual(Object.keys(answer.json()), ['error', 'reason', 'detail', 'errorCode', 'parameters']);
  assert.match(answer.body, /^\{\n {2}"error": 401,\n/);
});

test('an unexpected error is logged and not shown to the caller', async (t) => {
  const lines: object[] = [];
  const log = (context: object): Log => ({
    ...silentLog(),
    error: (fields) => void lines.push({ ...context, ...fields }),
    child: (fields) => log({ ...context, ...fields }),
  });
  const cause = new Error('password=hunter2 is wrong');
  const { send } = await testApi(t, [throwing(cause)], {}, log({}));
  const answer = await send({ url: path, headers: { 'x-request-id': 'r1' } });
  assert.deepEqual(
    answer.json(),
    errorBody(
      500,
      'UNEXPECTED_ERROR',
      [],
      'The service encountered an unexpected error.',
      'Internal Server Error',
    ),
  );
  assert.deepEqual(lines, [{ requestId: 'r1', operation: 'getThing', err: cause }]);
});

test('an unavailable store is reported as such', async (t) => {
  for (const [kind, reason] of [
    ['busy', /concurrent changes/],
    ['unavailable', /cannot be reached/],
    ['full', /disk with the database is full/],
    ['readOnly', /the database is read-only/],
    ['damaged', /is damaged/],
    ['closed', /is stopping/],
  ] as const) {
    const { send } = await testApi(t, [throwing(new StoreError(kind, 'host db.internal is down'))]);
    const answer = (await send({ url: path })).json();
    assert.deepEqual([answer.error, answer.errorCode, answer.parameters], [503, 'SERVICE_UNAVAILABLE', []]);
    assert.match(answer.detail, reason);
    assert.doesNotMatch(answer.detail, /internal/);
  }
});

test('a response without a document is empty or an empty object, depending on its status', async (t) => {
  const plain = { summary: '', tag: 'Things', method: 'DELETE', access: 'Project Owner' } as const;
  const drop = operation({
    ...plain,
    id: 'drop',
    path: '/groups/{groupId}/thing',
    status: 204,
    handler: async () => {},
  });
  const end = operation({
    ...plain,
    id: 'end',
    path: '/groups/{groupId}/end',
    status: 202,
    handler: async () => {},
  });
  const { send } = await testApi(t, [drop, end]);
  for (const query of ['', '?envelope=true&pretty=true']) {
    const nothing = await send({ method: 'DELETE', url: path + query });
    assert.deepEqual([nothing.statusCode, nothing.body], [204, '']);
    assert.equal(nothing.headers['content-type'], 'application/vnd.service.2025-03-12+json;charset=utf-8');
  }
  const accepted = await send({ method: 'DELETE', url: `/api/service/v2/groups/${GROUP}/end` });
  assert.deepEqual([accepted.statusCode, accepted.body], [202, '{}']);
});

test('handlers read and write the store, even with functions destructured from the call', async (t) => {
  const now = Type.Object({ read: Type.String(), written: Type.String() });
  const useStore = operation({
    id: 'useStore',
    summary: 'Uses the store.',
    tag: 'Things',
    method: 'GET',
    path: '/groups/{groupId}/thing',
    access: 'Project Owner',
    reply: now,
    status: 200,
    async handler({ read, write }) {
      return {
        read: await read(async (tx) => tx.now.toISOString()),
        written: await write(async (tx) => tx.id()),
      };
    },
  });
  const { send } = await testApi(t, [useStore]);
  const { read, written } = (await send({ url: path })).json();
  assert.match(read, /^\d{4}-/);
  assert.match(written, /^[0-9a-f]{24}$/);
});

/** Sends a request. Counts the turns of the event loop until the response. */
async function counted<T extends object>(send: () => Promise<T>): Promise<T & { readonly turns: number }> {
  let turns = 0;
  let isEnded = false;
  const count = () => {
    turns++;
    if (!isEnded) setImmediate(count);
  };
  setImmediate(count);
  const answer = await send();
  isEnded = true;
  return { ...answer, turns };
}

test('long lists in a document are presented with pauses for other requests', async (t) => {
  const reply = Type.Object({ metrics: Type.Array(Type.Object({ points: Type.Array(Type.Integer()) })) });
  const metrics = Array.from({ length: 200 }, (_, metric) => ({
    points: Array.from({ length: 500 }, (_, point) => metric * point),
  }));
  const { send } = await testApi(t, [variant(getThing, { reply, handler: async () => ({ metrics }) })]);
  const { body, turns } = await counted(() => send({ url: path }));
  assert.deepEqual(JSON.parse(body), { metrics });
  assert.ok(turns >= 1000, `${turns} turns`);
});

test('large items of a list are presented with pauses for other requests', async (t) => {
  const item = { points: Array.from({ length: 1_100 }, (_, point) => point) };
  const items = Array.from({ length: 40 }, () => item);
  const reply = Type.Object({ points: Type.Array(Type.Integer()) });
  const { send } = await testApi(t, [
    variant(getThing, { reply, list: 'array', handler: async () => items }),
  ]);
  const { body, turns } = await counted(() => send({ url: path }));
  assert.deepEqual(JSON.parse(body), items);
  assert.ok(turns >= items.length, `${turns} turns`);
});
