import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { redirectPlainRequests } from './plain-requests.ts';

const limits = { headerBytes: 16_384, headersMs: 10_000 };
/** The shortest first message of a TLS client. */
const hello = Buffer.from([22, 3, 1, 0, 4, 1, 0, 0, 0]);

test('handshakes run in turns, in which addresses take turns, too', async () => {
  const handshakes: string[] = [];
  const server = createServer((socket) => {
    assert.deepEqual(socket.read(), hello);
    handshakes.push(socket.remoteAddress ?? '');
  });
  const machine = { after: () => () => {}, monotonic: () => 0 };
  redirectPlainRequests(server as never, { limits, machine, originOf: () => '' });
  const [many, few] = ['192.0.2.1', '192.0.2.2'];
  for (const remoteAddress of [...Array<string>(100).fill(many), few]) {
    const socket = Object.assign(new PassThrough(), { remoteAddress });
    server.emit('connection', socket as unknown as Socket);
    socket.write(hello.subarray(0, 7));
    socket.write(hello.subarray(7));
  }
  const turns: number[] = [];
  for (let before = 0; before < 101; before = handshakes.length) {
    await setImmediate();
    turns.push(handshakes.length - before);
    assert.ok(turns.length < 1_000, 'all handshakes run');
  }
  assert.ok(Math.max(...turns) <= 8, `handshakes of each turn: ${turns}`);
  assert.ok(handshakes.indexOf(few) < 8, 'the second address waits for few handshakes of the first');
});
