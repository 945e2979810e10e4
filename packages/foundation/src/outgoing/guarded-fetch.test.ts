import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { portOf } from '@portolan/test-support/listening';
import { guardedFetch } from './guarded-fetch.ts';
import { PrivateTarget } from './guarded-post.ts';

const patient = guardedFetch({ allowPrivate: true, timeout: 180_000 });
const hasty = guardedFetch({ allowPrivate: true, timeout: 1_000 });

async function server(t: { after(end: () => void): void }) {
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/json': (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
    '/moved': (response) => void response.writeHead(302, { location: '/json' }).end(),
    '/nothing': (response) => void response.writeHead(204).end(),
    '/large': (response) => void response.writeHead(200).end(Buffer.alloc(300_000, 'x')),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('ta', () => response.destroy());
    },
    '/pieces': (response) => {
      response.writeHead(200);
      for (let count = 0; count < 200_000; count++) response.write('x');
    },
    '/early': (response) => pour(response, 'HTTP/1.1 103 Early\r\n\r\n'),
    '/empty': (response) => pour(response, '\r\n'),
    '/dripping': (response) => void response.writeHead(200).write('drop'),
  };
  const open = createServer((request, response) => answers[request.url ?? '']?.(response));
  return `http://127.0.0.1:${await portOf(t, open)}`;
}

/** Writes a text again and again to the connection of a response, without end. */
function pour({ socket }: ServerResponse, text: string): void {
  const part = text.repeat(1_000);
  const go = () => {
    while (socket?.destroyed === false && socket.write(part));
  };
  socket?.on('drain', go);
  go();
}

test('internal addresses are rejected', async () => {
  const guarded = guardedFetch({ allowPrivate: false });
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254'])
    await assert.rejects(guarded(`http://${host}:1/`), PrivateTarget, host);
});

test('a complete answer is returned, and a redirect is not followed', async (t) => {
  const url = await server(t);
  const reply = await patient(`${url}/json`);
  assert.deepEqual(
    [reply.status, reply.headers.get('content-type'), await reply.json()],
    [200, 'application/json', { a: 1 }],
  );
  assert.equal((await patient(`${url}/moved`)).status, 302);
  assert.equal((await patient(`${url}/nothing`)).status, 204);
});

test('answers that are too long, incomplete or too slow are errors', async (t) => {
  const url = await server(t);
  await assert.rejects(patient(`${url}/large`), /more than 262144 bytes/);
  await assert.rejects(patient(`${url}/pieces`), /more than 589824 bytes/);
  await assert.rejects(patient(`${url}/early`), /more than 65536 bytes/);
  await assert.rejects(patient(`${url}/empty`), /more than 65536 bytes/);
  await assert.rejects(patient(`${url}/cut`));
  await assert.rejects(hasty(`${url}/dripping`), /no answer within 1 s/);
  await assert.rejects(hasty(`${url}/never`), /no answer within 1 s/);
});
