import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { asError } from '@portolan/foundation/thrown';
import type { Answer, Question } from 'dns-packet';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  RECURSION_DESIRED,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet';

/** Response codes of RFC 1035 4.1.1. */
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;
const REFUSED = 5;
/**
 * Maximum size of a UDP response (RFC 1035 4.2.1). If a response is truncated, the client repeats its query over TCP.
 */
const DATAGRAM_BYTES = 512;
/** Idle timeout of TCP connections in milliseconds. */
const IDLE_MS = 5_000;
/** Maximum number of TCP connections. Further ones are closed; resolvers then try again. */
const MAX_CONNECTIONS = 512;
/**
 * Maximum size of a query. A query has one question and some options. A message of 64 KiB can contain 10,000 questions
 * that refer to one long name; decoding them takes 170 ms.
 */
const MAX_QUERY_BYTES = 1_024;
const HEADER_BYTES = 12;

export interface NameServerOptions {
  /** The domain of the server, in lower case. */
  readonly domain: string;
  /** Returns the records of a name; undefined if the name does not exist. */
  find(question: Question): Promise<readonly Answer[] | undefined>;
  onError(error: Error): void;
}

export interface NameServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves DNS over UDP and TCP. Rejects if the address is in use. */
export async function listenForNames(
  { host, port }: { readonly host: string; readonly port: number },
  options: NameServerOptions,
): Promise<NameServer> {
  const tcp = createServer((socket) => void serveStream(socket, options));
  tcp.maxConnections = MAX_CONNECTIONS;
  const bound = await bindStream(tcp, host, port);
  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    await bindDatagrams(udp, host, bound);
  } catch (error) {
    tcp.close();
    throw error;
  }
  udp.on('error', options.onError);
  tcp.on('error', options.onError);
  udp.on('message', async (message, from) => {
    const reply = await answer(message, options);
    if (reply === undefined) return;
    const bytes = encode(reply);
    const { answers: _, ...rest } = reply;
    const short =
      bytes.length <= DATAGRAM_BYTES
        ? bytes
        : encode({ ...rest, flags: (rest.flags ?? 0) | TRUNCATED_RESPONSE });
    udp.send(short, from.port, from.address);
  });
  const streams = new Set<Socket>();
  tcp.on('connection', (socket) => {
    streams.add(socket);
    socket.on('close', () => streams.delete(socket));
  });
  return {
    port: bound,
    async close() {
      for (const socket of streams) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

function bindStream(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function bindDatagrams(socket: DatagramSocket, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address, port }, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

/** Answers the queries of a connection one after another. Reads no further query while the client reads no reply. */
async function serveStream(socket: Socket, options: NameServerOptions): Promise<void> {
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  try {
    for await (const message of messagesOf(socket)) {
      const reply = await answer(message, options);
      if (reply === undefined) break;
      if (!socket.write(streamEncode(reply))) await once(socket, 'drain');
    }
    socket.end();
  } catch {
    // The client has closed the connection.
    socket.destroy();
  }
}

/** Yields messages, each of which follows its length (RFC 1035 4.2.2). Ends before a message that is too long. */
async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let received = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes as Buffer]);
    while (received.length >= 2) {
      const end = 2 + received.readUInt16BE(0);
      if (end - 2 > MAX_QUERY_BYTES) return;
      if (received.length < end) break;
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}

/**
 * Returns the response to a query; undefined for any other message. Only queries get a response, so that the server
 * cannot be used for reflection attacks.
 */
async function answer(message: Buffer, options: NameServerOptions): Promise<Packet | undefined> {
  const query = read(message);
  const [question] = query?.questions ?? [];
  if (query === undefined || query.type !== 'query' || question === undefined) return undefined;
  const reply = (rcode: number, answers: readonly Answer[] = []): Packet => ({
    type: 'response',
    ...(query.id === undefined ? {} : { id: query.id }),
    flags: AUTHORITATIVE_ANSWER | ((query.flags ?? 0) & RECURSION_DESIRED) | rcode,
    questions: [question],
    answers: [...answers],
  });
  const name = question.name.toLowerCase();
  if (name !== options.domain && !name.endsWith(`.${options.domain}`)) return reply(REFUSED);
  try {
    const answers = await options.find(question);
    return answers === undefined ? reply(NAME_ERROR) : reply(0, answers);
  } catch (error) {
    options.onError(asError(error));
    return reply(SERVER_FAILURE);
  }
}

function read(message: Buffer): Packet | undefined {
  if (!canBeQuery(message)) return undefined;
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}

/** Whether the header of a message announces one question, and no answers (RFC 1035 4.1.1). Cheap to find out. */
function canBeQuery(message: Buffer): boolean {
  if (message.length < HEADER_BYTES || message.length > MAX_QUERY_BYTES) return false;
  return message.readUInt16BE(4) === 1 && message.readUInt32BE(6) === 0;
}
