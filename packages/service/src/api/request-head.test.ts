import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Type from 'typebox';
import { errorBody, GROUP, getThing, listeningApi, operation, parsedAnswer, readAll } from './testing.ts';

const thing = `/api/service/v2/groups/${GROUP}/thing`;
const notes = `/api/service/v2/groups/${GROUP}/notes`;
const owner = 'Authorization: Bearer owner';

const addNote = operation({
  id: 'addNote',
  summary: 'Adds a note.',
  tag: 'Notes',
  method: 'POST',
  path: '/groups/{groupId}/notes',
  access: 'Project Owner',
  body: Type.Object({ text: Type.String() }),
  reply: Type.Object({ length: Type.Integer() }),
  status: 200,
  handler: async ({ body }) => ({ length: body.text.length }),
});

const listening = (t: TestContext) => listeningApi(t, [getThing, addNote], { limits: { bodyBytes: 1000 } });

/** Returns the response to one request, with `Connection: close`. */
async function answerTo(socket: Socket, lines: readonly string[], body: Buffer | string = '') {
  const answer = readAll(socket);
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  if (body.length > 0) socket.write(body);
  return answer;
}

const badRequest = (detail: string) => errorBody(400, 'UNEXPECTED_ERROR', [], detail, 'Bad Request');

test('a missing, repeated or invalid Host header is rejected', async (t) => {
  const { open } = await listening(t);
  for (const [version, hosts, detail] of [
    ['1.1', [], 'The request has no Host header.'],
    ['1.1', ['Host: a', 'Host: a'], 'The request has more than one Host header.'],
    ['1.0', ['Host: a', 'hOST: b'], 'The request has more than one Host header.'],
    ['1.1', ['Host: a/b'], 'The Host header does not name a host.'],
    ['1.1', ['Host: a@b'], 'The Host header does not name a host.'],
    ['1.1', ['Host: a, b c'], 'The Host header does not name a host.'],
  ] as const) {
    for (const target of [thing, '/nothing', '/%zz', '/healthz']) {
      const text = await answerTo(await open(), [`GET ${target} HTTP/${version}`, ...hosts, owner]);
      const { status, body, head } = parsedAnswer(text);
      assert.deepEqual([status, body], [400, badRequest(detail)], `${target} ${hosts}`);
      assert.match(head, /^x-error-code: UNEXPECTED_ERROR$/im);
      assert.match(head, /^x-request-id: ./im);
    }
  }
  for (const [version, hosts] of [
    ['1.0', []],
    ['1.1', ['Host:']],
    ['1.1', ['Host: [::1]:8443']],
    ['1.1', ['Host: service.test:8443']],
  ] as const) {
    const text = await answerTo(await open(), [`GET ${thing} HTTP/${version}`, ...hosts, owner]);
    assert.match(text, /^HTTP\/1\.1 200 /, `${version} ${hosts}`);
  }
});

test('repeated Authorization and Content-Type headers are rejected', async (t) => {
  const { open } = await listening(t);
  const json = 'Content-Type: application/json';
  for (const [lines, name] of [
    [[owner, 'authorization: Bearer reader'], 'Authorization'],
    [['AUTHORIZATION: Bearer reader', owner], 'Authorization'],
    [[owner, owner], 'Authorization'],
    [[owner, json, 'content-type: text/plain'], 'Content-Type'],
  ] as const) {
    const text = await answerTo(await open(), [`GET ${thing} HTTP/1.1`, 'Host: x', ...lines]);
    const { status, body, head } = parsedAnswer(text);
    const detail = `The request has more than one ${name} header.`;
    assert.deepEqual([status, body], [400, badRequest(detail)], lines.join(' '));
    assert.match(head, /^connection: close$/im);
  }
  const other = ['Accept: */*', 'accept: application/json', 'X-Request-Id: a', 'x-request-id: b'];
  const text = await answerTo(await open(), [`GET ${thing} HTTP/1.1`, 'Host: x', owner, ...other]);
  assert.equal(parsedAnswer(text).status, 200);
});

test('a target with a fragment is rejected', async (t) => {
  const { open } = await listening(t);
  for (const target of [`${thing}#x`, `${thing}?pretty=true#x`, `http://x${thing}#x`, '/healthz#']) {
    const text = await answerTo(await open(), [`GET ${target} HTTP/1.1`, 'Host: x', owner]);
    const { status, body } = parsedAnswer(text);
    assert.deepEqual([status, body], [400, badRequest('The request target has a fragment.')], target);
  }
});

test('CONNECT is rejected', async (t) => {
  const { open } = await listening(t);
  const rude = await open();
  rude.write('CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  rude.resetAndDestroy();
  const text = await answerTo(await open(), ['CONNECT elsewhere:443 HTTP/1.1', 'Host: x']);
  const { status, body } = parsedAnswer(text);
  assert.deepEqual([status, body], [400, badRequest('CONNECT is not supported.')]);
  assert.equal(
    parsedAnswer(await answerTo(await open(), [`GET ${thing} HTTP/1.1`, 'Host: x', owner])).status,
    200,
  );
});

test('a target in absolute form is served like one in origin form, with its own host', async (t) => {
  const { open } = await listening(t);
  for (const [target, status] of [
    [`https://service.test:8443${thing}`, 200],
    [`HTTP://elsewhere${thing}?pretty=true`, 200],
    ['http://service.test/nothing', 404],
    ['http://service.test', 404],
    ['http://service.test/healthz', 200],
    ['http://service.test?x', 404],
    [`http://a@b${thing}`, 404],
    [`ftp://service.test${thing}`, 404],
  ] as const) {
    const text = await answerTo(await open(), [`GET ${target} HTTP/1.1`, 'Host: other.test', owner]);
    assert.equal(parsedAnswer(text).status, status, `${target} ${text}`);
  }
  const wrong = await answerTo(await open(), ['GET http://a/b/c?d HTTP/1.1', 'Host: x', owner]);
  assert.partialDeepStrictEqual(parsedAnswer(wrong).body, { parameters: ['/b/c'] });
});

test('an unknown expectation gets an error in the common form', async (t) => {
  const { open } = await listening(t);
  const text = await answerTo(await open(), [`GET ${thing} HTTP/1.1`, 'Host: x', 'Expect: miracles', owner]);
  const { status, body } = parsedAnswer(text);
  const detail = 'The only supported expectation is 100-continue.';
  assert.deepEqual(
    [status, body],
    [417, errorBody(417, 'UNEXPECTED_ERROR', [], detail, 'Expectation Failed')],
  );
});

test('100 Continue is sent after all checks before the body', async (t) => {
  const { open } = await listening(t);
  const head = (length: number, ...more: string[]) => [
    `POST ${notes} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
    ...more,
  ];
  for (const [lines, status] of [
    [head(15), 401],
    [head(15, 'Authorization: Bearer nobody'), 401],
    [head(15, 'Authorization: Bearer reader'), 401],
    [head(1001, owner), 413],
    [head(15, owner, 'Content-Encoding: gzip'), 415],
    [head(15, owner).with(2, 'Content-Type: text/plain'), 415],
    [head(15, owner).with(0, 'POST /nothing HTTP/1.1'), 404],
  ] as const) {
    assert.equal(parsedAnswer(await answerTo(await open(), lines)).status, status, lines.join(' '));
  }
  const socket = await open();
  socket.write([...head(15, owner, 'Connection: close'), '', ''].join('\r\n'));
  const [leave] = await once(socket, 'data');
  assert.equal(String(leave), 'HTTP/1.1 100 Continue\r\n\r\n');
  const rest = readAll(socket);
  socket.write('{"text":"aye!"}');
  assert.deepEqual(parsedAnswer(await rest).body, { length: 4 });
});

test('a compressed body is rejected', async (t) => {
  const { open } = await listening(t);
  const send = async (body: Buffer | string, ...codings: string[]) =>
    parsedAnswer(
      await answerTo(
        await open(),
        [`POST ${notes} HTTP/1.1`, 'Host: x', owner, `Content-Length: ${body.length}`, ...codings],
        body,
      ),
    );
  for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip', 'nonsense']) {
    const { status, body, head } = await send(gzipSync('{"text":"aye!"}'), `Content-Encoding: ${coding}`);
    const detail = `Bodies in the coding ${coding} are not supported; send them uncompressed.`;
    assert.deepEqual(
      [status, body],
      [415, errorBody(415, 'UNEXPECTED_ERROR', [], detail, 'Unsupported Media Type')],
    );
    assert.match(head, /^accept-encoding: identity$/im);
  }
  assert.equal((await send('{"text":"aye!"}', 'Content-Encoding: Identity')).status, 200);
  const lines = [`POST ${notes} HTTP/1.1`, 'Host: x', owner, 'Transfer-Encoding: gzip, chunked'];
  const { status, body } = parsedAnswer(await answerTo(await open(), lines, '0\r\n\r\n'));
  assert.equal(status, 501);
  assert.partialDeepStrictEqual(body, {
    detail: 'The transfer coding gzip, chunked is not supported; use chunked only.',
  });
});
