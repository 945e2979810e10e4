/**
 * A wire protocol server that replays replies: it replies to each command with the bytes that an engine sent for the
 * same command. It measures the cost of the driver alone, including sessions and cluster times.
 */
import { createServer, type Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import type { ReadyAnswers } from './ready-answers.ts';
import { answerUsage } from './usage.ts';

const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_REPLY = 1;
const HEADER = 16;

const ready = JSON.parse(process.argv[2] ?? '{}') as ReadyAnswers;
const found = Buffer.from(ready.find, 'base64');
const written = Buffer.from(ready.update, 'base64');
const greeting = greetingOf(Buffer.from(ready.hello, 'base64'));

const server = createServer((socket) => {
  let pending: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true).on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      answer(socket, pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
});
answerUsage();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});

function answer(socket: Socket, message: Buffer): void {
  const id = message.readInt32LE(4);
  if (message.readInt32LE(12) === OP_QUERY) {
    const fields = Buffer.alloc(20);
    fields.writeInt32LE(1, 16);
    send(socket, id, OP_REPLY, Buffer.concat([fields, greeting]));
    return;
  }
  // Read the name of the command. It follows the flags, the kind of the section, the length, and the type of the first
  // field.
  const name = message.toString('latin1', HEADER + 10, message.indexOf(0, HEADER + 10));
  const body = name === 'hello' || name === 'ismaster' ? greeting : name === 'find' ? found : written;
  send(socket, id, OP_MSG, Buffer.concat([Buffer.alloc(5), body]));
}

function send(socket: Socket, responseTo: number, opCode: number, body: Uint8Array): void {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  socket.write(Buffer.concat([header, body]));
}

/**
 * Omits the topology version from the reply to `hello`. If a reply had one, the driver would wait until the server
 * reports the next version.
 */
function greetingOf(hello: Uint8Array): Uint8Array {
  const { topologyVersion: _, ...rest } = deserialize(hello, { promoteValues: false });
  return serialize({ ismaster: true, ...rest });
}
