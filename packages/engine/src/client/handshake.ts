import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Random } from '@portolan/foundation/random';
import { Channel } from '../control/channel.ts';
import { isProof, NONCE_BYTES, proofOf } from '../control/handshake.ts';
import { type Greeting, PROTOCOL_NAME, PROTOCOL_VERSION, type Welcome } from '../control/protocol.ts';
import type { HostEndpoint } from './endpoint.ts';
import { EngineUnavailable, ProtocolMismatch } from './errors.ts';

/** Timeout of the handshake. It is long because a host on a busy machine may get no CPU time for many seconds. */
const GREETING_MS = 20_000;
const ANSWER_BYTES = 64 * 1024 * 1024;
/** A machine that loses power does not close its connections. Keep-alive detects this within minutes. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 };

/** A connection on which both sides have proven that they have the token. */
export interface OpenChannel {
  readonly channel: Channel;
  readonly welcome: Welcome;
}

export interface HandshakeOptions {
  readonly random: Random;
  /** The protocol version that the host must have. The default is the version of this program. */
  readonly protocol?: number;
}

/** Connects and authenticates both sides. Throws `EngineUnavailable` or `ProtocolMismatch`. */
export async function openChannel(endpoint: HostEndpoint, options: HandshakeOptions): Promise<OpenChannel> {
  const socket = connectionTo(endpoint);
  socket.setTimeout(GREETING_MS, () => socket.destroy(new Error('the engine host does not respond')));
  const ended = new Promise<never>((_, reject) => {
    socket.once('error', (error) =>
      reject(new EngineUnavailable(`cannot connect to the engine host: ${error.message}`)),
    );
    socket.once('close', () => reject(new EngineUnavailable('the engine host closed the connection')));
  });
  // Nothing awaits this promise after the handshake, so its rejection must be handled here.
  ended.catch(() => {});
  const channel = new Channel(socket, ANSWER_BYTES);
  try {
    const welcome = await Promise.race([ended, shakeHands(channel, endpoint.token, options)]);
    socket.setTimeout(0);
    return { channel, welcome };
  } catch (error) {
    channel.close();
    throw error;
  }
}

function connectionTo({ host, port, authority }: HostEndpoint): Socket {
  const target = { host, port, ...KEEP_ALIVE };
  if (authority === undefined) return connect({ ...target, noDelay: true });
  const socket = connectTls({ ...target, ca: authority, minVersion: 'TLSv1.3' });
  return socket.setNoDelay(true);
}

async function shakeHands(
  channel: Channel,
  token: string,
  { random, protocol = PROTOCOL_VERSION }: HandshakeOptions,
): Promise<Welcome> {
  const greeting = await greetingOf(channel);
  if (greeting?.engine !== PROTOCOL_NAME)
    throw new EngineUnavailable('another program uses the control port');
  if (greeting.protocol !== protocol) {
    throw new ProtocolMismatch(
      greeting.protocol,
      `the running engine host uses version ${greeting.protocol} of the control protocol, this program ` +
        `version ${PROTOCOL_VERSION}: stop it with the program that started it`,
    );
  }
  const nonces = { host: greeting.nonce, client: random.bytes(NONCE_BYTES).toString('hex') };
  channel.writeLine({ nonce: nonces.client, proof: proofOf('client', token, nonces) });
  const welcome = (await lineOf(channel)) as Welcome;
  if (!isProof(welcome?.proof, 'host', token, nonces)) {
    throw new EngineUnavailable('the program on the control port does not hold the token');
  }
  return welcome;
}

/** Reads the greeting. A line that cannot be parsed means that a program other than an engine host uses the port. */
async function greetingOf(channel: Channel): Promise<Greeting> {
  return (await lineOf(channel).catch((error: Error) => {
    if (error instanceof EngineUnavailable) throw error;
    throw new EngineUnavailable('another program uses the control port');
  })) as Greeting;
}

async function lineOf(channel: Channel): Promise<unknown> {
  const line = await channel.line();
  if (line === undefined) throw new EngineUnavailable('the engine host closed the connection');
  return line;
}
