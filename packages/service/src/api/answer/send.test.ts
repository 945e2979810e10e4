import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { portOf } from '@portolan/test-support/listening';
import { Download } from '../operation.ts';
import { errorBody, GROUP, getThing, listeningApi, readAll, testApi, variant } from '../testing.ts';
import { send } from './send.ts';

const path = `/api/service/v2/groups/${GROUP}/thing`;

/** Declares an operation that returns this stream. */
const download = (stream: () => Readable) =>
  variant(getThing, { bytes: 'gzip', handler: async () => new Download(stream()) });

async function* failing(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk);
  throw new Error('the disk is gone');
}

test('a stream is sent in chunks, and not at all for HEAD', async (t) => {
  const streams: Readable[] = [];
  const { send } = await testApi(t, [
    download(() => {
      const stream = Readable.from([Buffer.from('one'), Buffer.from('two')]);
      streams.push(stream);
      return stream;
    }),
  ]);
  const got = await send({ url: path });
  assert.deepEqual([got.statusCode, got.body, got.headers['content-length']], [200, 'onetwo', undefined]);
  const head = await send({ method: 'HEAD', url: path });
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', undefined]);
  assert.equal(head.headers['content-type'], got.headers['content-type']);
  assert.deepEqual(
    streams.map(({ destroyed }) => destroyed),
    [true, true],
  );
});

test('a stream that fails before its first bytes gets an error response', async (t) => {
  const { send } = await testApi(t, [download(() => Readable.from(failing([])))]);
  const answer = await send({ url: path });
  const detail = 'The service encountered an unexpected error.';
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['x-error-code'], 'UNEXPECTED_ERROR');
  assert.equal(answer.headers['content-length'], String(answer.body.length));
  assert.deepEqual(answer.json(), errorBody(500, 'UNEXPECTED_ERROR', [], detail, 'Internal Server Error'));
});

test('a stream that fails later closes the connection before the last chunk', async (t) => {
  const { open } = await listeningApi(t, [download(() => Readable.from(failing(['begun'])))]);
  const socket = await open();
  const received = readAll(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n\r\n`);
  const text = await received;
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.match(text, /\r\n5\r\nbegun\r\n$/);
});

test('a stream is destroyed when the caller disconnects', async (t) => {
  const closed = Promise.withResolvers<void>();
  const endless = () =>
    new Readable({
      read() {
        this.push(Buffer.alloc(64 * 1024));
      },
    }).once('close', closed.resolve);
  const { open } = await listeningApi(t, [download(endless)]);
  const socket = await open();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner\r\n\r\n`);
  socket.once('data', () => socket.destroy());
  await closed.promise;
});

test('a large body is sent in pieces, as the client reads it', async (t) => {
  const size = 32 * 1024 * 1024;
  const served = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    const headers = { 'content-type': 'text/plain' };
    send(response, { status: 200, headers, body: Buffer.alloc(size, 'x') }, () => assert.fail());
    served.resolve(response);
  });
  const socket = connect(await portOf(t, server));
  t.after(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const response = await served.promise;
  await setImmediate();
  assert.ok(response.writableLength < 1024 * 1024, `${response.writableLength} bytes wait`);
  const text = await readAll(socket);
  assert.match(text, new RegExp(`\\r\\ncontent-length: ${size}\\r\\n`, 'i'));
  assert.equal(text.length - text.indexOf('\r\n\r\n') - 4, size);
});
