import { createServer, type Server, type Socket } from 'node:net';
import type { MachineClock } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Random } from '../../../runtime/random.ts';
import { isProof, NONCE_BYTES, proofOf } from '../control/handshake.ts';
import { JsonLines, writeLine } from '../control/lines.ts';
import {
  type ClientProof,
  type ControlCalls,
  type ControlReply,
  type ControlRequest,
  type HostSettings,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
} from '../control/protocol.ts';

/** A stranger may send no more than a proof takes, and not wait for longer than this. */
const STRANGER_BYTES = 4_096;
const STRANGER_MS = 5_000;
/** The greatest call is a deployment's access: thousands of users of a few hundred bytes. */
const CALL_BYTES = 32 * 1024 * 1024;

export interface ControlOptions {
  readonly token: string;
  readonly settings: HostSettings;
  readonly calls: ControlCalls;
  readonly random: Random;
  readonly clock: MachineClock;
  readonly log: Log;
}

/** Listens on loopback for services that hold the token; resolves with the port. */
export async function listenForControl(options: ControlOptions): Promise<{ port: number; server: Server }> {
  const server = createServer({ noDelay: true }, (socket) => greet(socket, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  server.on('error', (error) => options.log.warn({ reason: error.message }, 'control connection refused'));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the control port has no number');
  return { port: address.port, server };
}

function greet(socket: Socket, options: ControlOptions): void {
  const { random, clock, log } = options;
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  const lines = new JsonLines(STRANGER_BYTES);
  const cancel = clock.after(STRANGER_MS, () => socket.destroy());
  let known = false;
  socket.on('error', () => {});
  socket.on('close', cancel);
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const document of lines.push(chunk)) {
        if (known) void serve(socket, document as ControlRequest, options.calls);
        else {
          welcome(socket, document as ClientProof, nonce, options);
          known = true;
          lines.limit = CALL_BYTES;
          cancel();
        }
      }
    } catch (error) {
      log.warn({ reason: String(error) }, 'control connection closed');
      socket.destroy();
    }
  });
  writeLine(socket, { engine: PROTOCOL_NAME, protocol: PROTOCOL_VERSION, nonce });
}

/** Throws when the client does not hold the token. */
function welcome(socket: Socket, given: ClientProof, nonce: string, options: ControlOptions): void {
  const { token, settings } = options;
  const nonces = { host: nonce, client: String(given?.nonce) };
  if (!isProof(given?.proof, 'client', token, nonces)) throw new Error('the client does not hold the token');
  writeLine(socket, { proof: proofOf('host', token, nonces), pid: process.pid, settings });
}

async function serve(socket: Socket, { id, call, args }: ControlRequest, calls: ControlCalls): Promise<void> {
  const reply = (answer: ControlReply) => writeLine(socket, answer);
  try {
    if (!Object.hasOwn(calls, call)) throw new Error(`the engine host has no call ${call}`);
    const run = calls[call] as (...given: unknown[]) => Promise<unknown>;
    reply({ id, result: (await run(...args)) ?? null });
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  }
}
