import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { get } from 'node:https';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { systemRandom } from '@portolan/foundation/random';
import { issueServerCertificate, makeAuthority } from '@portolan/foundation/tls/authority';
import Type from 'typebox';
import {
  errorBody,
  GROUP,
  listeningApi,
  operation,
  PUBLIC_URL,
  parsedAnswer,
  readAll as rest,
} from './testing.ts';

const path = `/api/service/v2/groups/${GROUP}/notes`;

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

/** An operation whose response exceeds the buffers of a connection. */
const readLong = operation({
  id: 'readLong',
  summary: 'Returns much.',
  tag: 'Notes',
  method: 'GET',
  path: '/groups/{groupId}/notes',
  access: 'Project Owner',
  reply: Type.Object({ text: Type.String() }),
  status: 200,
  handler: async () => ({ text: 'x'.repeat(32 * 1024 * 1024) }),
});

const listening = (t: TestContext, more: Parameters<typeof listeningApi>[2] = {}) =>
  listeningApi(t, [addNote, readLong], more);

function parsed(answer: string): { status: number; body: unknown } {
  const { status, body } = parsedAnswer(answer);
  return { status, body };
}

const head = (lines: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Authorization: Bearer owner',
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');

test('malformed HTTP gets an error in the common form', async (t) => {
  const { open } = await listening(t);
  const socket = await open();
  socket.write('HELO there\r\n\r\n');
  assert.deepEqual(parsed(await rest(socket)), {
    status: 400,
    body: errorBody(400, 'UNEXPECTED_ERROR', [], 'This is not a well-formed HTTP request.', 'Bad Request'),
  });
});

test('heads larger than 16 KiB are rejected; the response to a HEAD has no body', async (t) => {
  const { open } = await listening(t);
  const detail = 'The request line and the headers are too large.';
  const body = errorBody(431, 'UNEXPECTED_ERROR', [], detail, 'Request Header Fields Too Large');
  const answerTo = async (lines: string[]) => {
    const socket = await open();
    socket.write([...lines, '', ''].join('\r\n'));
    return rest(socket);
  };
  // The last body is rejected before its end is read.
  for (const length of [17_000, 60_000, 70_000]) {
    const answer = await answerTo([`POST ${path} HTTP/1.1`, 'Host: x', `X-Long: ${'x'.repeat(length)}`]);
    assert.deepEqual(parsed(answer), { status: 431, body }, `${length}`);
    assert.match(answer, /^connection: close$/im);
  }
  for (const lines of [
    [`HEAD ${path} HTTP/1.1`, 'Host: x', `X-Long: ${'x'.repeat(60_000)}`],
    [`HEAD ${path}?x=${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x'],
    [`HEAD /${'x'.repeat(17_000)} HTTP/1.1`, 'Host: x'],
  ]) {
    const [head, ...more] = (await answerTo(lines)).split('\r\n\r\n');
    assert.match(head ?? '', /^HTTP\/1\.1 431 /);
    assert.deepEqual(more, ['']);
  }
});

test('incomplete headers time out', async (t) => {
  const { open } = await listening(t, { limits: { headersMs: 50 } });
  const socket = await open();
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n`);
  assert.deepEqual(parsed(await rest(socket)), {
    status: 408,
    body: errorBody(408, 'UNEXPECTED_ERROR', [], 'The request was not complete in time.', 'Request Timeout'),
  });
});

test('an incomplete body times out and closes the connection', async (t) => {
  const { open, app, machine } = await listening(t);
  const socket = await open();
  const reading = once(app.server, 'request');
  socket.write(head(['Content-Length: 100']));
  socket.write('{"text":"begun');
  const [incoming] = await reading;
  await once(incoming, 'resume').catch(() => undefined);
  machine.advance(30_000);
  const answer = await rest(socket);
  assert.match(answer, /^connection: close/im);
  assert.deepEqual(parsed(answer), {
    status: 408,
    body: errorBody(
      408,
      'UNEXPECTED_ERROR',
      [],
      'The body was not complete within 30 seconds.',
      'Request Timeout',
    ),
  });
});

/** Sends a request with a body over a kept-alive connection, as Digest clients do. */
function post(agent: Agent, port: number, body: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; text: string; reused: boolean }>((resolve, reject) => {
    const sent = request({ agent, port, path, method: 'POST', headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += String(chunk);
      });
      answer.on('end', () => resolve({ status: answer.statusCode, text, reused: sent.reusedSocket }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('the connection can be reused after a body is rejected unread', async (t) => {
  const { port } = await listening(t, { limits: { bodyText: 200_000 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const text = JSON.stringify({ text: 'x'.repeat(200_000) });
  assert.equal((await post(agent, port, text)).status, 401);
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
  const second = await post(agent, port, text, headers);
  assert.deepEqual(second, { status: 200, text: '{"length":200000}', reused: true });
});

test('a body larger than 5 MiB is rejected with and without a Content-Length', async (t) => {
  const { port, machine } = await listening(t);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
  const large = JSON.stringify({ text: 'x'.repeat(5 * 1024 * 1024) });
  for (const length of [{}, { 'transfer-encoding': 'chunked' }]) {
    const answer = await post(agent, port, large, { ...headers, ...length });
    assert.equal(answer.status, 413);
    assert.equal(JSON.parse(answer.text).detail, 'The body is larger than 5242880 bytes.');
    machine.advance(1_000);
  }
});

test('the number of connections per address is limited, and a closed one makes room', async (t) => {
  const { open } = await listening(t, { limits: { connectionsFromLoopback: 2 } });
  const [first, second] = [await open(), await open()];
  const third = await open();
  assert.equal(await rest(third), '');
  first.destroy();
  await once(first, 'close');
  second.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = await once(second, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200/);
  const fourth = await open();
  fourth.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await rest(fourth), /^HTTP\/1\.1 200/);
});

for (const [what, begun] of [
  ['stops after the request line', `GET ${path} HTTP/1.1\r\n`],
  ['sends nothing at all', ''],
  ['sends what is no HTTP', 'HELO there\r\n\r\n'],
] as const)
  test(`a connection that ${what} and never closes makes room`, async (t) => {
    const limits = { headersMs: 50, connectionsFromLoopback: 1 };
    const { open, app, machine } = await listening(t, { limits, halfOpen: true });
    const gone = new Promise((resolve) => {
      app.server.once('connection', (socket: Socket) => socket.once('close', resolve));
    });
    const socket = await open();
    socket.write(begun);
    socket.resume();
    await once(socket, 'end');
    machine.advance(1_000);
    await gone;
    const served = async () => {
      const next = await open();
      next.end('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return rest(next);
    };
    let answer = await served();
    // On a busy machine, even this request may time out before it is complete. Then repeat it.
    while (answer.startsWith('HTTP/1.1 408')) {
      machine.advance(1_000);
      answer = await served();
    }
    assert.match(answer, /^HTTP\/1\.1 200/);
  });

test('a connection that never reads its response makes room', async (t) => {
  const { open, app } = await listening(t, { limits: { stillMs: 50 } });
  const gone = new Promise((resolve) => {
    app.server.once('connection', (socket: Socket) => socket.once('close', resolve));
  });
  const socket = await open();
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n\r\n`);
  await gone;
});

test('the total number of connections is limited, and one address may hold half of them', async (t) => {
  const { open } = await listening(t, { limits: { connections: 4 } });
  const held = [await open(), await open()];
  assert.equal(await rest(await open()), '');
  const behindProxy = await listening(t, { limits: { connections: 2 }, trustedProxies: ['127.0.0.1'] });
  held.push(await behindProxy.open(), await behindProxy.open());
  assert.equal(await rest(await behindProxy.open()), '');
  assert.deepEqual(
    held.map(({ closed }) => closed),
    [false, false, false, false],
  );
  for (const socket of held) socket.destroy();
});

test('connections of a trusted proxy are not limited', async (t) => {
  const { open } = await listening(t, {
    limits: { connectionsFromLoopback: 1 },
    trustedProxies: ['127.0.0.1'],
  });
  for (const socket of [await open(), await open(), await open()]) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    assert.match(await rest(socket), /^HTTP\/1\.1 200/);
  }
});

/** Starts a service on TLS; returns it with the certificate of its authority. */
async function secure(t: TestContext) {
  const making = { now: Date.now(), random: systemRandom() };
  const authority = await makeAuthority(making);
  const tls = await issueServerCertificate(authority, ['127.0.0.1'], making);
  return { ...(await listening(t, { tls })), ca: authority.cert };
}

test('over TLS responses have Strict-Transport-Security', async (t) => {
  const { port, ca } = await secure(t);
  const sent = get({ host: '127.0.0.1', port, path: '/healthz', ca, agent: false });
  const [answer] = await once(sent, 'response');
  answer.resume();
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000; includeSubdomains;');
});

test('plain HTTP on a TLS port is redirected', async (t) => {
  const { port, open } = await secure(t);
  const lines = [
    `POST ${path}?pretty=true HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Length: 9',
    '',
    'half',
  ];
  for (const parts of [[lines.join('\r\n')], ['P', lines.join('\r\n').slice(1)]]) {
    const socket = await open();
    for (const part of parts) {
      socket.write(part);
      await setImmediate();
    }
    const answer = await rest(socket);
    const place = `${PUBLIC_URL}${path}?pretty=true`;
    assert.match(answer, new RegExp(`^location: ${place.replace('?', '\\?')}\\r$`, 'im'));
    assert.match(answer, /^connection: close/im);
    const detail = `This port requires TLS; the address is ${place}.`;
    const body = errorBody(301, 'UNEXPECTED_ERROR', [], detail, 'Moved Permanently');
    assert.deepEqual(parsed(answer), { status: 301, body });
  }
});

test('a redirect leads to the service, whatever the target of the request', async (t) => {
  const { open } = await secure(t);
  for (const [target, place] of [
    ['//elsewhere.test/', `${PUBLIC_URL}//elsewhere.test/`],
    ['http://elsewhere.test/x', `${PUBLIC_URL}/x`],
  ]) {
    const socket = await open();
    socket.write(`GET ${target} HTTP/1.1\r\nHost: elsewhere.test\r\n\r\n`);
    assert.match(await rest(socket), new RegExp(`^location: ${place}\\r$`, 'im'));
  }
});

test('connections to a TLS port that send neither TLS nor HTTP are closed', async (t) => {
  const { open, machine, app } = await secure(t);
  const wrong = await open();
  wrong.write(Buffer.from([0, 1, 2, 3, 4]));
  await rest(wrong);
  const accepted = once(app.server, 'connection');
  const silent = await open();
  await accepted;
  machine.advance(10_000);
  assert.equal(await rest(silent), '');
});

for (const [name, serve] of [
  ['without TLS', listening],
  ['with TLS', secure],
] as const)
  test(`a service ${name} does not wait for idle connections when it ends`, async (t) => {
    const { app, open, machine } = await serve(t);
    const accepted: Socket[] = [];
    app.server.on('connection', (socket: Socket) => accepted.push(socket));
    const silent = await open();
    const stuck = await open();
    stuck.write(name === 'with TLS' ? Buffer.from([22, 3, 1]) : `GET ${path} HTTP/1.1\r\nX: `);
    const received = (client: Socket) =>
      accepted.find(({ remotePort }) => remotePort === client.localPort)?.bytesRead;
    while (received(silent) === undefined || !received(stuck)) await setImmediate();
    const closed = app.close();
    assert.equal(await rest(silent), '');
    machine.advance(1_000);
    await Promise.all([closed, rest(stuck)]);
  });

test('a request in progress is served when the service ends', async (t) => {
  const { app, open, machine } = await listening(t);
  const socket = await open();
  const reading = once(app.server, 'request');
  const body = '{"text":"late"}';
  socket.write(head([`Content-Length: ${body.length}`]));
  await reading;
  const closed = app.close();
  await setImmediate();
  machine.advance(1_000);
  socket.write(body);
  const answer = await rest(socket);
  assert.match(answer, /^connection: close/im);
  assert.deepEqual(parsed(answer), { status: 200, body: { length: 4 } });
  await closed;
});
