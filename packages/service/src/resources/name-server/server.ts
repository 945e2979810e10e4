import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
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
  const tcp = createServer((socket) => serveStream(socket, options));
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

/** Handles messages, each prefixed with its length (RFC 1035 4.2.2). */
function serveStream(socket: Socket, options: NameServerOptions): void {
  let received = Buffer.alloc(0);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', async (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
      const end = 2 + received.readUInt16BE(0);
      const message = received.subarray(2, end);
      received = received.subarray(end);
      const reply = await answer(message, options);
      if (reply === undefined) return void socket.destroy();
      if (!socket.destroyed) socket.write(streamEncode(reply));
    }
  });
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
  try {
    return decode(message);
  } catch {
    return undefined;
  }
}
