import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Answer, decode, encode, type Packet, type Question, streamEncode } from 'dns-packet';
import { listenForNames } from './server.ts';

const HOST = '127.0.0.1';
const NAME = 'ship.db.example.org';
const query = (id: number, name = NAME): Packet => ({
  type: 'query',
  id,
  questions: [{ type: 'TXT', name }],
});

async function served(t: TestContext, texts: string[]) {
  const found: Question[] = [];
  const server = await listenForNames(
    { host: HOST, port: 0 },
    {
      domain: 'db.example.org',
      async find(question) {
        found.push(question);
        const own = question.name === NAME ? texts : [];
        return own.map((data): Answer => ({ type: 'TXT', name: NAME, data }));
      },
      onError(error) {
        throw error;
      },
    },
  );
  t.after(() => server.close());
  return { found, port: server.port };
}

/** A message with 10,000 questions, all but the first of which refer to the name of the first. */
function manyQuestions(): Buffer {
  const labels = '\x01a'.repeat(126);
  const first = Buffer.from(`${labels}\0\0\x01\0\x01`, 'latin1');
  const others = Array<Buffer>(9_999).fill(Buffer.from([0xc0, 12, 0, 1, 0, 1]));
  const header = Buffer.alloc(12);
  header.writeUInt16BE(10_000, 4);
  return Buffer.concat([header, first, ...others]);
}

test('a datagram with many questions is ignored, and the next query is answered', async (t) => {
  const { found, port } = await served(t, ['replicaSet=rs0']);
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  const replies: unknown[] = [];
  socket.on('message', (message) => replies.push(decode(message).id));
  socket.send(manyQuestions(), port, HOST);
  // A datagram can be lost.
  while (replies.length === 0) {
    socket.send(encode(query(7)), port, HOST);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(new Set(replies), new Set([7]));
  assert.deepEqual(new Set(found.map(({ name }) => name)), new Set([NAME]));
});

test('a connection with a long message is closed after the replies to earlier queries', async (t) => {
  const { found, port } = await served(t, ['replicaSet=rs0']);
  const socket = connect({ port, host: HOST });
  t.after(() => socket.destroy());
  const long = manyQuestions();
  const length = Buffer.alloc(2);
  length.writeUInt16BE(long.length);
  socket.on('error', () => {});
  socket.write(Buffer.concat([streamEncode(query(1)), streamEncode(query(2)), length, long]));
  const received: Buffer[] = [];
  socket.on('data', (bytes) => received.push(bytes));
  await once(socket, 'close');
  const bytes = Buffer.concat(received);
  const size = bytes.readUInt16BE(0);
  assert.deepEqual([decode(bytes.subarray(2, 2 + size)).id, bytes.length], [1, 2 * (2 + size)]);
  assert.equal(found.length, 2);
});

test('while a client reads no replies, its further queries are not answered', async (t) => {
  const { found, port } = await served(t, Array<string>(200).fill('x'.repeat(250)));
  const socket = connect({ port, host: HOST });
  t.after(() => socket.destroy());
  socket.pause();
  socket.on('error', () => {});
  const sent = 2_000;
  socket.write(Buffer.concat(Array<Buffer>(sent).fill(streamEncode(query(1)))));
  // Meanwhile, the server answers the queries of another client.
  const other = connect({ port, host: HOST });
  t.after(() => other.destroy());
  for (let count = 0; count < 2 * sent; count++) {
    other.write(streamEncode(query(2, 'other.db.example.org')));
    await once(other, 'data');
  }
  const answered = found.filter(({ name }) => name === NAME).length;
  assert.ok(answered > 0 && answered < sent, `${answered} queries were answered`);
});
