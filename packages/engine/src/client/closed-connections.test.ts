import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startEngine } from './testing/engine.ts';

/** The header of an OP_MSG message (opcode 2013) with a length of 100 bytes. */
const header = Buffer.alloc(16);
header.writeInt32LE(100, 0);
header.writeInt32LE(2013, 12);

/** The bytes that a client may have sent when the host is killed: none, half a header, or half a message. */
const begun = [Buffer.alloc(0), header.subarray(0, 7), Buffer.concat([header, Buffer.alloc(9)])];

async function opened(t: TestContext, port: number, bytes: Buffer): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  // When a host is killed, its connections may be reset.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Resolves when the peer has closed the connection. This end stays open. */
function closed(socket: Socket): Promise<unknown> {
  socket.resume();
  return new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
}

test('a killed host leaves no connection open and no operation unanswered', async (t) => {
  const { engine, connect: driver, clusterId, kill, stop } = await startEngine('closed');
  t.after(stop);
  const things = driver({ retryWrites: false, retryReads: false }).db('shop').collection('things');
  await things.insertOne({});
  const { members } = (await engine.describe(clusterId)) ?? { members: [] };
  assert.equal(members.length, 3);
  const sockets = await Promise.all(
    members.flatMap(({ port }) => begun.map((bytes) => opened(t, port, bytes))),
  );
  const ends = sockets.map(closed);
  const operations = [
    ...Array.from({ length: 50 }, (_, n) => things.insertOne({ n })),
    things.aggregate([{ $project: { sum: { $sum: { $range: [0, 100_000_000] } } } }]).toArray(),
  ];
  const settled = Promise.allSettled(operations);
  await kill();
  await Promise.all(ends);
  const last = (await settled).at(-1);
  assert.equal(last?.status, 'rejected');
});
