import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { portOf } from '@portolan/test-support/listening';
import { guardedPoster, isPublic, PrivateTarget } from './guarded-post.ts';

/** `patient` is for servers that answer, and `hasty` for servers that do not. */
const patient = guardedPoster({ allowPrivate: true, timeout: 180_000 });
const hasty = guardedPoster({ allowPrivate: true, timeout: 1_000 });

const post = (url: string) => ({ url, headers: { 'content-type': 'text/plain' }, body: 'hello' });

async function receiver(t: { after(end: () => void): void }) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    if (request.url === '/never') return;
    if (request.url === '/endless') return endless(response);
    if (request.url === '/early') return early(response);
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': 100 });
      response.write('ta', () => response.destroy());
      return;
    }
    if (request.url === '/dripping') {
      response.writeHead(200).write('drop');
      return;
    }
    response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/elsewhere' });
    response.end('taken');
  });
  return { received, port: await portOf(t, server) };
}

/** Writes a body that never ends. */
function endless(response: ServerResponse): void {
  const part = Buffer.alloc(10_000, 'x');
  const go = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on('drain', go);
  go();
}

/** Writes informational responses without end. */
function early(response: ServerResponse): void {
  response.writeProcessing(() => early(response));
}

test('internal addresses are rejected, by number and by name', async (t) => {
  const { received, port } = await receiver(t);
  const guarded = guardedPoster({ allowPrivate: false });
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'])
    await assert.rejects(guarded(post(`http://${host}:${port}/`)), PrivateTarget, host);
  assert.deepEqual(received, []);
});

test('isPublic tells public addresses from others', () => {
  for (const address of [
    '192.0.2.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    'fe80::1',
    'fd00::1',
    '::',
  ])
    assert.equal(isPublic(address), false, address);
  for (const address of ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])
    assert.equal(isPublic(address), true, address);
});

test('redirects are returned, and a request without a response times out', async (t) => {
  const { received, port } = await receiver(t);
  assert.deepEqual(await patient(post(`http://127.0.0.1:${port}/`)), { status: 200, text: 'taken' });
  assert.equal((await patient(post(`http://127.0.0.1:${port}/moved`))).status, 302);
  assert.deepEqual(received, ['POST /', 'POST /moved']);
  await assert.rejects(hasty(post(`http://127.0.0.1:${port}/never`)), /no answer within 1 s/);
});

test('a response counts as soon as its head arrives, whatever its body', async (t) => {
  const { received, port } = await receiver(t);
  const { status, text } = await patient(post(`http://127.0.0.1:${port}/endless`));
  assert.deepEqual([status, text], [200, 'x'.repeat(65_536)]);
  assert.deepEqual(await patient(post(`http://127.0.0.1:${port}/cut`)), { status: 200, text: 'ta' });
  assert.deepEqual(received, ['POST /endless', 'POST /cut']);
  await assert.rejects(patient(post(`http://127.0.0.1:${port}/early`)), /more than 65536 bytes/);
  // Try again, because on a busy machine the headers of the response may arrive after the timeout.
  let reply: unknown;
  while (reply === undefined) {
    reply = await hasty(post(`http://127.0.0.1:${port}/dripping`)).catch((error: Error) => {
      assert.match(error.message, /no answer within 1 s/);
    });
  }
  assert.deepEqual(reply, { status: 200, text: 'drop' });
});
