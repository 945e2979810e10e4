import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { type Log, silentLog } from '@portolan/foundation/log';
import { until } from '@portolan/test-support/expect';
import type { Mount } from './mounts.ts';
import { GROUP, getThing, listeningApi, testApi, variant } from './testing.ts';

const path = `/api/service/v2/groups/${GROUP}/thing`;

test('health checks need no credentials; readiness gives the reason', async (t) => {
  let reason: string | undefined;
  const { app } = await testApi(t, [], { trouble: async () => reason });
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject({ url });
    return [statusCode, body];
  };
  assert.deepEqual(await ask('/healthz'), [200, '{"status":"ok"}']);
  assert.deepEqual(await ask('/readyz'), [200, '{"status":"ready"}']);
  reason = 'no engine host';
  assert.deepEqual(await ask('/readyz'), [503, '{"reason":"no engine host","status":"not ready"}']);
  assert.deepEqual(await ask('/healthz'), [200, '{"status":"ok"}']);
});

test('metrics count requests and their time by operation and status', async (t) => {
  const slow = variant(getThing, {
    async handler() {
      machine.advance(4);
      return { name: 'thing' };
    },
  });
  const { app, machine, send } = await testApi(t, [slow]);
  await send({ url: path });
  await send({ url: path });
  await send({ url: `${path}?pretty=7` });
  await send({ url: '/api/service/v2/nothing' });
  await send({ url: '/api/service/v2/%zz' });
  const { body, headers } = await app.inject({ url: '/metrics' });
  assert.match(String(headers['content-type']), /^text\/plain/);
  const line = (name: string, labels: string) =>
    new RegExp(`^http_request_duration_seconds_${name}\\{${labels}\\} (\\S+)$`, 'm').exec(body)?.[1];
  assert.equal(line('count', 'operation="getThing",status="200"'), '2');
  assert.equal(line('count', 'operation="getThing",status="400"'), '1');
  assert.equal(line('count', 'operation="none",status="404"'), '2');
  assert.equal(line('bucket', 'operation="getThing",status="200",le="\\+Inf"'), '2');
  assert.equal(line('sum', 'operation="getThing",status="200"'), '0.008');
  assert.match(body, /^# TYPE http_request_duration_seconds histogram$/m);
  assert.match(body, /^process_cpu_user_seconds_total /m);
});

test('metrics count requests in progress, even if the caller has disconnected', async (t) => {
  const [asked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = variant(getThing, {
    async handler() {
      asked.resolve();
      await allowed.promise;
      return { name: 'thing' };
    },
  });
  const { app, open } = await listeningApi(t, [slow]);
  const inFlight = async () =>
    /^http_requests_in_flight (\d+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1];
  assert.equal(await inFlight(), '0');
  const socket = await open();
  const answered = once(app.server, 'request').then(([, response]) => once(response, 'close'));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n\r\n`);
  await asked.promise;
  assert.equal(await inFlight(), '1');
  socket.destroy();
  await answered;
  assert.equal(await inFlight(), '1');
  allowed.resolve();
  await until('its end', inFlight, (count) => count === '0');
});

test('every request is one log line, without query, headers and body', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const log: Log = { ...silentLog(), debug: at('debug'), info: at('info') };
  const { send } = await testApi(t, [getThing], {}, log);
  await send({ url: `${path}?token=secret-1`, headers: { 'x-request-id': 'r1', cookie: 'secret-2' } });
  await send({
    url: '/api/service/v2/nothing?token=secret-1',
    headers: { authorization: 'Bearer secret-3' },
  });
  const [first, second] = lines.map(({ milliseconds, ...rest }) => {
    assert.equal(typeof milliseconds, 'number');
    return rest;
  });
  assert.deepEqual(first, {
    level: 'debug',
    requestId: 'r1',
    method: 'GET',
    path,
    operation: 'getThing',
    status: 200,
    caller: 'owner',
    address: '127.0.0.1',
  });
  assert.deepEqual([second?.level, second?.operation, second?.status], ['info', 'none', 401]);
  assert.equal(second?.caller, undefined);
  assert.doesNotMatch(JSON.stringify(lines), /secret/);
});

const echo: Mount = {
  id: 'echo',
  method: 'POST',
  path: '/api/oauth/{what}',
  async handle({ method, params, headers, body, address }) {
    const told = { method, what: params.what, type: headers['content-type'], body, address };
    return {
      status: 202,
      headers: { 'content-type': 'application/x-told', 'cache-control': 'no-store' },
      body: JSON.stringify(told),
    };
  },
};

test('a mount receives the request as sent and needs no credentials', async (t) => {
  const { app } = await testApi(t, [getThing], { mounts: [echo] });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/oauth/token?a=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'grant_type=client_credentials',
  });
  assert.equal(answer.statusCode, 202);
  assert.equal(answer.headers['content-type'], 'application/x-told');
  assert.deepEqual(answer.json(), {
    method: 'POST',
    what: 'token',
    type: 'application/x-www-form-urlencoded',
    body: 'grant_type=client_credentials',
    address: '127.0.0.1',
  });
});

test('a mount can return a document in the format that the caller requests', async (t) => {
  const mount: Mount = {
    ...echo,
    handle: async () => ({ status: 200, headers: {}, body: '', document: { a: 1 } }),
  };
  const { app } = await testApi(t, [], { mounts: [mount] });
  const ask = async (query: string) => {
    const { body, headers } = await app.inject({ method: 'POST', url: `/api/oauth/token${query}` });
    return [body, headers['content-type']];
  };
  assert.deepEqual(await ask(''), ['{"a":1}', 'application/json']);
  assert.deepEqual(await ask('?envelope=true'), ['{"content":{"a":1},"status":200}', 'application/json']);
  assert.deepEqual(await ask('?pretty=true'), ['{\n  "a" : 1\n}', 'application/json']);
});

test('a mount’s body is limited, and its errors and methods are handled like those of operations', async (t) => {
  const failing: Mount = {
    ...echo,
    id: 'failing',
    path: '/fails',
    handle: () => Promise.reject(new Error('x')),
  };
  const { app, send } = await testApi(t, [getThing], { mounts: [echo, failing], limits: { bodyBytes: 10 } });
  const large = await app.inject({ method: 'POST', url: '/api/oauth/token', payload: 'x'.repeat(11) });
  assert.deepEqual([large.statusCode, large.json().errorCode], [413, 'UNEXPECTED_ERROR']);
  const byDefault = await testApi(t, [], { mounts: [echo] });
  const form = await byDefault.send({ method: 'POST', url: '/api/oauth/token', payload: 'x'.repeat(16_385) });
  assert.equal(form.json().detail, 'The body is larger than 16384 bytes.');
  const failed = await app.inject({ method: 'POST', url: '/fails' });
  assert.deepEqual([failed.statusCode, failed.json().errorCode], [500, 'UNEXPECTED_ERROR']);
  const wrong = await send({ url: '/api/oauth/token' });
  assert.deepEqual([wrong.statusCode, wrong.headers.allow], [405, 'POST']);
});
