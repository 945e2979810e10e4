import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { Channel } from '../control/channel.ts';
import { isProof, NONCE_BYTES, proofOf } from '../control/handshake.ts';
import {
  type ClientProof,
  type ControlRequest,
  type HostSettings,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
} from '../control/protocol.ts';
import type { CallHandlers, CallTable } from '../interface/call.ts';
import { doCall, isTransfer, transfer } from './control-calls.ts';

/** Limits for a peer that has not proven yet that it has the token: the size of its messages, and the time. */
const UNAUTHENTICATED_BYTES = 4_096;
const HANDSHAKE_MS = 20_000;
/**
 * Maximum size of a call. The largest call contains the access settings of a deployment: thousands of users with a few
 * hundred bytes each.
 */
const CALL_BYTES = 32 * 1024 * 1024;
/** Maximum number of connections over the network. The limit leaves enough file descriptors for databases. */
const MAX_PEERS = 256;
/** Keep-alive detects that a machine has lost power, because such a machine does not close its connections. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 30_000 };

export interface ControlOptions<T extends CallTable> {
  readonly token: string;
  readonly settings: HostSettings;
  readonly table: T;
  readonly calls: CallHandlers<T>;
  readonly random: Random;
  readonly clock: MachineClock;
  readonly log: Log;
  /** Called when a client has disconnected. Connections for transfers do not count. */
  readonly onLeave?: () => void;
}

export interface ControlListener {
  readonly host: string;
  /** The port to listen on; 0 selects a free port. */
  readonly port: number;
  /** The certificate for TLS. Without a certificate, connections do not use TLS. */
  readonly certificate?: Certificate;
}

export interface ControlServer {
  readonly port: number;
  setCertificate(certificate: Certificate): void;
  /** Stops accepting connections. Existing connections stay open. */
  close(): void;
  /** Stops accepting connections, and closes existing connections after sending their pending output. */
  end(): void;
}

/** Listens for services that have the token. Rejects if the address cannot be bound. */
export async function listenForControl<T extends CallTable>(
  options: ControlOptions<T>,
  { host, port, certificate }: ControlListener,
): Promise<ControlServer> {
  const open = new Set<Socket>();
  const serve = (socket: Socket | TLSSocket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void serveConnection(socket, options);
  };
  const common = { noDelay: true, ...KEEP_ALIVE };
  const secure =
    certificate &&
    createTlsServer(
      { ...certificate, ...common, minVersion: 'TLSv1.3', handshakeTimeout: HANDSHAKE_MS },
      serve,
    );
  if (secure) secure.maxConnections = MAX_PEERS;
  const server: Server = secure ?? createServer(common, serve);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  server.on('error', (error) => options.log.warn({ reason: error.message }, 'control connection refused'));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the control server has no port');
  return {
    port: address.port,
    setCertificate: (next) => secure?.setSecureContext({ ...next, minVersion: 'TLSv1.3' }),
    close: () => void server.close(),
    end() {
      server.close();
      for (const socket of open) socket.end();
    },
  };
}

async function serveConnection<T extends CallTable>(
  socket: Socket,
  options: ControlOptions<T>,
): Promise<void> {
  const channel = new Channel(socket, UNAUTHENTICATED_BYTES);
  try {
    if (!(await shakeHands(channel, options))) return;
    channel.limit = CALL_BYTES;
    await serveCalls(channel, options);
  } catch (error) {
    options.log.warn({ reason: String(error) }, 'control connection closed');
  } finally {
    channel.close();
  }
}

/** Authenticates the peer. Returns false if it has disconnected. Throws if it does not have the token. */
async function shakeHands(
  channel: Channel,
  {
    token,
    settings,
    random,
    clock,
  }: Pick<ControlOptions<CallTable>, 'clock' | 'random' | 'settings' | 'token'>,
): Promise<boolean> {
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  const cancel = clock.after(HANDSHAKE_MS, () => channel.close());
  channel.writeLine({ engine: PROTOCOL_NAME, protocol: PROTOCOL_VERSION, nonce });
  const given = (await channel.line()) as ClientProof | undefined;
  cancel();
  if (given === undefined) return false;
  const nonces = { host: nonce, client: String(given?.nonce) };
  if (!isProof(given?.proof, 'client', token, nonces)) throw new Error('the client does not hold the token');
  channel.writeLine({ proof: proofOf('host', token, nonces), pid: process.pid, settings });
  return true;
}

/** Serves calls in parallel until the connection ends. A transfer is the last call on its connection. */
async function serveCalls<T extends CallTable>(
  channel: Channel,
  { table, calls, onLeave }: Pick<ControlOptions<T>, 'calls' | 'onLeave' | 'table'>,
): Promise<void> {
  let isClient = true;
  try {
    for (;;) {
      const request = (await channel.line()) as ControlRequest | undefined;
      if (request === undefined) return;
      isClient = !isTransfer(table, request);
      if (!isClient) return await transfer(channel, table, calls, request);
      void doCall(channel, table, calls, request);
    }
  } finally {
    if (isClient) onLeave?.();
  }
}
