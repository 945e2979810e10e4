import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { serialize } from 'bson';
import { isCompressed } from './compressed.ts';
import { compressors } from './compression.ts';
import { ReplyWriter } from './reply-writer.ts';

test('compresses the reply to a compressed request, however short it is', async () => {
  for (const compressor of compressors) {
    const written: Buffer[] = [];
    const socket = { destroyed: false, write: (bytes: Buffer) => written.push(bytes) } as unknown as Socket;
    const writer = new ReplyWriter(socket, { bytesOut: 0 }, new SerialQueue());
    await writer.msg({ requestId: 7 }, serialize({ ok: 1 }), compressor);
    assert.deepEqual(written.map(isCompressed), [true], compressor.name);
  }
});

test('frees the memory of a large reply when it has been sent, and not earlier', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reader = connect(port, '127.0.0.1');
  t.after(() => reader.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  const writer = new ReplyWriter(socket, { bytesOut: 0 }, new SerialQueue());
  const document = new Uint8Array(20_000_000).fill(1);
  writer.msg({ requestId: 7 }, document);
  socket.end();
  const received: Buffer[] = [];
  for await (const bytes of reader) received.push(bytes);
  const sent = Buffer.concat(received).subarray(-20_000_000);
  assert.deepEqual([sent.length, sent.every((byte) => byte === 1)], [20_000_000, true]);
  assert.equal(document.length, 0);
});
