import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import type { Scope } from './service.ts';

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Returns the reply to a command; undefined if the server does not know the command. */
export type Answer = (command: Document, host: string) => Document | undefined;

export interface StandInServer {
  readonly host: string;
  /** Sends bytes to all clients. */
  send(bytes: Buffer): void;
  connections(): number;
}

/** A server that speaks the wire protocol and sends any reply, also one that no product sends. Ends with the scope. */
export async function standInServer(scope: Scope, answer: Answer): Promise<StandInServer> {
  const sockets = new Set<Socket>();
  let host = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let waiting: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= HEADER_BYTES && waiting.length >= waiting.readInt32LE()) {
        const message = waiting.subarray(0, waiting.readInt32LE());
        waiting = waiting.subarray(message.length);
        const isQuery = message.readInt32LE(12) === OP_QUERY;
        const command = commandIn(message, isQuery);
        const reply = answer(command, host) ?? { ok: 0, code: 59, errmsg: 'no such command' };
        socket.write(encoded(BSON.serialize(reply), message.readInt32LE(4), isQuery));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  scope.after(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return {
    host,
    send: (bytes) => void [...sockets].map((socket) => socket.write(bytes)),
    connections: () => sockets.size,
  };
}

/** A replica set that replies to `ping` with the head of a message of 2,000,000,000 bytes. Returns its URI. */
export async function serverWithLongReply(scope: Scope): Promise<string> {
  const server = await standInServer(scope, (command, host) => {
    if (command.ping === undefined) return replicaSet()(command, host);
    const head = Buffer.alloc(HEADER_BYTES);
    head.writeInt32LE(2_000_000_000);
    server.send(head);
    return {};
  });
  return `mongodb://${server.host}/?directConnection=true`;
}

/** Reads the command in an `OP_QUERY`, as in the first message of a driver, or in the body of an `OP_MSG`. */
function commandIn(message: Buffer, isQuery: boolean): Document {
  const start = isQuery ? message.indexOf(0, HEADER_BYTES + 4) + 1 + 8 : HEADER_BYTES + 5;
  return BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)));
}

function encoded(body: Uint8Array, requestId: number, isQuery: boolean): Buffer {
  const before = Buffer.alloc(HEADER_BYTES + (isQuery ? 20 : 5));
  before.writeInt32LE(before.length + body.length);
  before.writeInt32LE(requestId, 8);
  before.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) before.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([before, body]);
}

const VERSIONS = { minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30 };

/** Answers like a replica set with one member, except that `changed` replaces the replies to some commands. */
export function replicaSet(changed: Readonly<Record<string, Document>> = {}): Answer {
  return (command, host) => {
    const [name = ''] = Object.keys(command);
    const hello = { ...VERSIONS, setName: 'rs0', hosts: [host], me: host, isWritablePrimary: true };
    const replies: Readonly<Record<string, Document>> = {
      hello,
      buildInfo: { version: '8.0.4' },
      listDatabases: { databases: [{ name: 'harbour', sizeOnDisk: 4096 }] },
      ping: {},
      connectionStatus: { authInfo: { authenticatedUsers: [], authenticatedUserPrivileges: [] } },
      replSetGetConfig: { config: { members: [{ _id: 0, host, priority: 1 }] } },
      replSetGetStatus: { members: [{ name: host, health: 1, stateStr: 'PRIMARY' }] },
      ...changed,
    };
    const key = /^(hello|ismaster)$/i.test(name) ? 'hello' : name;
    const reply = replies[key];
    const whole = reply && { ok: 1, ...(key === 'hello' && { ...hello, helloOk: true }), ...reply };
    return whole && Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
  };
}

/** Answers like a router; see `replicaSet`. */
export const router = (changed: Readonly<Record<string, Document>> = {}): Answer => {
  const hello = { setName: undefined, hosts: undefined, me: undefined, msg: 'isdbgrid', ...changed.hello };
  return replicaSet({ listShards: { shards: [] }, ...changed, hello });
};
