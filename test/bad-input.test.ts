import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchToken } from './support/client.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { everythingFrom, openSocket } from './support/sockets.ts';
import { clusterBody, type ListDocument, newProject } from './support/stage.ts';

const MEGABYTE = 1024 * 1024;

/** Arrays nested to a given depth. */
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

onOneSetup('PostgreSQL, two instances', 'bad input', (setup) => {
  const groups = '/groups';
  const post = (body: string, headers?: Record<string, string>) =>
    setup.account.post(groups, body, headers && { headers });

  test('malformed JSON', async () => {
    for (const body of [
      '{',
      '{"name":}',
      '{"name":"x",}',
      "{'name':'x'}",
      'name=x',
      '{"a":1}{"b":2}',
      '[1,]',
    ]) {
      expectFault(await post(body), 400, 'MALFORMED_JSON');
    }
    expectFault(await post('\u0000'), 400, 'MALFORMED_JSON');
  });

  test('JSON of the wrong kind', async () => {
    for (const body of ['[]', '"name"', '7', 'true', 'null'])
      expectFault(await post(body), 400, 'INVALID_JSON');
    for (const [name, value] of [
      ['name', 7],
      ['name', { first: 'x' }],
      ['orgId', []],
      ['tags', {}],
    ] as const) {
      const body = { name: 'x', orgId: setup.bootstrap.orgId, [name]: value };
      expectFault(await post(JSON.stringify(body)), 400, 'INVALID_JSON_ATTRIBUTE', [name]);
    }
    const missing = 'name, orgId';
    for (const body of ['', '  ', '{}', '{"name":null,"orgId":null}']) {
      expectFault(await post(body), 400, 'MISSING_ATTRIBUTES', [missing]);
    }
  });

  test('unknown fields at any depth', async () => {
    const clusters = `${await newProject(setup)}/clusters`;
    for (const [change, path] of [
      [{ colour: 1 }, 'colour'],
      [{ Name: 'x' }, 'Name'],
      [{ providerSettings: { ...clusterBody('x').providerSettings, fast: true } }, 'providerSettings.fast'],
      [{ replicationSpecs: [{ zone: 'x' }] }, 'replicationSpecs.0.zone'],
      [{ tags: [{ key: 'k', value: 'v', more: 1 }] }, 'tags.0.more'],
      [{ autoScaling: { compute: { on: true } } }, 'autoScaling.compute.on'],
    ] as const) {
      const reply = await setup.account.post(clusters, { ...clusterBody('x'), ...change });
      expectFault(reply, 400, 'INVALID_ATTRIBUTE', [path]);
    }
    assert.equal(expectStatus<ListDocument>(await setup.account.get(clusters), 200).totalCount, 0);
  });

  test('a duplicate field, at any depth', async () => {
    const expectTwice = async (body: string, field: string) => {
      const reply = await post(body);
      const text = `${field} is given more than once in one object.`;
      expectFault(reply, 400, 'VALIDATION_ERROR', [text]);
      const detail = reply.json<{ badRequestDetail: { fields: object[] } }>().badRequestDetail;
      assert.partialDeepStrictEqual(detail.fields, [{ field }]);
    };
    await expectTwice('{"name":"x","name":"y"}', 'name');
    await expectTwice('{"name":"x","n\\u0061me":"y"}', 'name');
    await expectTwice('{"tags":[{"key":"a","value":"b","key":"c"}]}', 'key');
    expectFault(await post('{"__proto__":{"orgId":"x"},"name":"x"}'), 400, 'INVALID_ATTRIBUTE', [
      '__proto__',
    ]);
  });

  test('a document that is too deep or too large', async () => {
    const deep = (levels: number) =>
      `{"name":"x","orgId":"${setup.bootstrap.orgId}","tags":${nested(levels - 1)}}`;
    const reason = 'The document is nested deeper than 64 levels.';
    expectFault(await post(deep(65)), 400, 'VALIDATION_ERROR', [reason]);
    expectFault(await post(deep(64)), 400, 'INVALID_JSON_ATTRIBUTE', ['tags.0']);
    expectFault(await post(nested(100_000)), 400, 'VALIDATION_ERROR', [reason]);
    const large = JSON.stringify({ name: 'x'.repeat(5 * MEGABYTE) });
    expectFault(await post(large), 413, 'UNEXPECTED_ERROR');
    const within = JSON.stringify({ name: 'x'.repeat(5 * MEGABYTE - 1000), orgId: setup.bootstrap.orgId });
    const longest = 'name must NOT have more than 131072 characters';
    expectFault(await post(within), 400, 'VALIDATION_ERROR', [longest]);
    const long = JSON.stringify({ name: 'x'.repeat(131_072), orgId: setup.bootstrap.orgId });
    assert.equal(expectStatus(await post(long), 400).errorCode, 'INVALID_GROUP_NAME');
    const many = `{"name":"x","tags":[${'{},'.repeat(MEGABYTE)}{}]}`;
    expectFault(await post(many), 400, 'VALIDATION_ERROR', ['The document contains more than 10000 values.']);
    expectStatus(await setup.account.get('/'), 200);
  });

  test('a body of another type', async () => {
    const body = JSON.stringify({ name: 'x' });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'application/json; charset=latin1',
      'application/vnd.service+json',
      'json',
    ]) {
      expectFault(await post(body, { 'content-type': type }), 415, 'UNEXPECTED_ERROR');
    }
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/vnd.service.2025-03-12+json',
    ]) {
      expectFault(await post(body, { 'content-type': type }), 400, 'MISSING_ATTRIBUTE', ['orgId']);
    }
  });

  test('unknown paths', async () => {
    const base = '/api/service/v2';
    const clusters = `${await newProject(setup)}/clusters`;
    for (const [path, status] of [
      [`${base}//groups`, 404],
      [`${base}/groups/%00`, 404],
      [`${base}/groups/%zz`, 404],
      [`${base}/groups/..%2f..%2fetc`, 404],
      [`${base}${clusters}/%F0%9F%9A%A2`, 404],
      [`${base}${clusters}/${'x'.repeat(4000)}`, 404],
      [`${base}${clusters}/a%2Fb`, 404],
      ['/api/service/v3/groups', 404],
      ['/API/service/v2', 404],
    ] as const) {
      const reply = await setup.account.get(path);
      assert.equal(reply.status, status, `${path.slice(0, 100)}: ${reply.status} ${reply.text}`);
    }
  });

  test('malformed HTTP is rejected with a reason and does not affect other callers', async (t) => {
    for (const [text, status] of [
      ['SHIP AHOY\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: x\r\nContent-Length: y\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ] as const) {
      const socket = await openSocket(setup.instances[0]);
      t.after(() => socket.destroy());
      const answer = everythingFrom(socket);
      socket.write(text);
      const [head = '', body = ''] = (await answer).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.equal(JSON.parse(body).error, status);
    }
    expectStatus(await setup.account.get('/'), 200);
  });

  test('slow and aborted uploads do not delay other callers', async (t) => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(setup.instances[0])));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    const { clientId, clientSecret } = setup.bootstrap;
    const [connection] = setup.connections;
    assert.ok(connection);
    const token = await fetchToken(connection, clientId, clientSecret);
    for (const socket of sockets) {
      socket.write(`POST /api/service/v2/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`);
      socket.write('Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":');
    }
    const before = expectStatus<ListDocument>(await setup.account.get(groups), 200).totalCount;
    for (const socket of sockets.slice(10)) socket.destroy();
    await newProject(setup);
    for (const socket of sockets) socket.write(' ');
    const now = expectStatus<ListDocument>(await setup.account.get(groups), 200).totalCount;
    assert.equal(now, (before ?? 0) + 1);
  });

  test('an unexpected body is ignored', async () => {
    const project = await newProject(setup);
    expectStatus(await setup.account.send('GET', project, '{'), 200);
    expectStatus(
      await setup.account.send('DELETE', project, '{', { headers: { 'content-type': 'text/x' } }),
      204,
    );
  });

  test('numbers out of range', async () => {
    const clusters = `${await newProject(setup)}/clusters`;
    const body = JSON.stringify(clusterBody('x'));
    for (const size of ['1e400', '-1e400', '1e308', '99999999999999999999']) {
      const reply = await setup.account.post(clusters, body.replace('{', `{"diskSizeGB":${size},`));
      const { errorCode } = expectStatus(reply, 400);
      assert.match(String(errorCode), /^(CLUSTER_DISK_SIZE_|INVALID_JSON_ATTRIBUTE|VALIDATION_ERROR)/, size);
    }
  });
});
