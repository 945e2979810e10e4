/**
 * A server of the wire protocol that thinks nothing: it greets as a replica set's primary and answers every other
 * command with one ready document. What the driver costs by itself.
 */
import { createServer, type Socket } from 'node:net';
import { deserialize, Long, serialize } from 'bson';

const OP_MSG = 2013;
const OP_QUERY = 2004;
const OP_REPLY = 1;
const HEADER = 16;

const { document } = JSON.parse(process.argv[2] ?? '{}') as { document: Record<string, unknown> };
const found = serialize({ cursor: { id: Long.ZERO, ns: 'bench.documents', firstBatch: [document] }, ok: 1 });
const written = serialize({ n: 1, nModified: 1, ok: 1 });

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
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});

function answer(socket: Socket, message: Buffer): void {
  const id = message.readInt32LE(4);
  if (message.readInt32LE(12) === OP_QUERY) {
    const fields = Buffer.alloc(20);
    fields.writeInt32LE(1, 16);
    send(socket, id, OP_REPLY, Buffer.concat([fields, greeting()]));
    return;
  }
  // Flags, kind of section, length and type of the first field: then its name, which is the command's.
  const name = message.toString('latin1', HEADER + 10, message.indexOf(0, HEADER + 10));
  const body = name === 'hello' || name === 'ismaster' ? greeting() : name === 'find' ? found : written;
  send(socket, id, OP_MSG, Buffer.concat([Buffer.alloc(5), body]));
}

function send(socket: Socket, responseTo: number, opCode: number, body: Uint8Array): void {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  socket.write(Buffer.concat([header, body]));
}

function greeting(): Uint8Array {
  return serialize({
    helloOk: true,
    ismaster: true,
    isWritablePrimary: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 25,
    ok: 1,
  });
}

// The input is checked where it is made; a document that BSON cannot hold would fail here, before anybody connects.
deserialize(found);
