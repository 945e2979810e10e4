import { connect, type Socket } from 'node:net';
import type { Random } from '../../../runtime/random.ts';
import { isProof, NONCE_BYTES, proofOf } from '../control/handshake.ts';
import { JsonLines, writeLine } from '../control/lines.ts';
import {
  type ControlCall,
  type ControlCalls,
  type ControlReply,
  type Greeting,
  type HostFile,
  type HostSettings,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
  type Welcome,
} from '../control/protocol.ts';

/** The engine host cannot be reached; the call may be repeated, since all calls may. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
}

/** The host speaks another version of the control protocol: trying again does not help. */
export class ProtocolMismatch extends Error {
  override readonly name = 'ProtocolMismatch';
}

/** The connection ended while a call was under way. */
export class ConnectionLost extends EngineUnavailable {}

/** The host has done the call and it failed. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

const GREETING_MS = 5_000;
const ANSWER_BYTES = 64 * 1024 * 1024;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An authenticated line to an engine host. */
export class ControlConnection {
  readonly settings: HostSettings;
  readonly pid: number;
  /** Resolves when the connection has ended, by either side. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #open = true;

  constructor(socket: Socket, messages: MessageReader, welcome: Welcome) {
    this.#socket = socket;
    this.settings = welcome.settings;
    this.pid = welcome.pid;
    messages.onMessage = (document) => this.#answered(document as ControlReply);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#open = false;
        for (const { reject } of this.#waiting.values()) {
          reject(new ConnectionLost('the engine host ended before it answered'));
        }
        this.#waiting.clear();
        resolve();
      });
    });
  }

  get open(): boolean {
    return this.#open;
  }

  call<C extends ControlCall>(
    call: C,
    ...args: Parameters<ControlCalls[C]>
  ): Promise<Awaited<ReturnType<ControlCalls[C]>>> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new ConnectionLost('the engine host has ended'));
        return;
      }
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      writeLine(this.#socket, { id, call, args });
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #answered(reply: ControlReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiting?.reject(new EngineError(reply.error));
    else waiting?.resolve(reply.result);
  }
}

/** Hands on the documents that a socket delivers, one at a time. */
class MessageReader {
  onMessage: (document: unknown) => void = () => {};

  constructor(socket: Socket) {
    const lines = new JsonLines(ANSWER_BYTES);
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const document of lines.push(chunk)) this.onMessage(document);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined);
      }
    });
  }

  next(): Promise<unknown> {
    return new Promise((resolve) => {
      this.onMessage = resolve;
    });
  }
}

/** Connects and proves both sides. Throws `EngineUnavailable` or `ProtocolMismatch`. */
export async function connectToHost(
  file: Pick<HostFile, 'host' | 'port' | 'token'>,
  random: Random,
): Promise<ControlConnection> {
  const socket = connect({ host: file.host, port: file.port, noDelay: true });
  socket.setTimeout(GREETING_MS, () => socket.destroy(new Error('the engine host does not greet')));
  const ended = new Promise<never>((_, reject) => {
    socket.once('error', (error) => reject(new EngineUnavailable(`the engine host: ${error.message}`)));
    socket.once('close', () => reject(new EngineUnavailable('the engine host closed the connection')));
  });
  // Once the connection is made nobody waits for it any more.
  ended.catch(() => {});
  socket.on('error', () => {});
  try {
    const messages = new MessageReader(socket);
    const welcome = await Promise.race([ended, shakeHands(socket, messages, file.token, random)]);
    socket.setTimeout(0);
    return new ControlConnection(socket, messages, welcome);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function shakeHands(
  socket: Socket,
  messages: MessageReader,
  token: string,
  random: Random,
): Promise<Welcome> {
  const greeting = (await messages.next()) as Greeting;
  if (greeting?.engine !== PROTOCOL_NAME) throw new EngineUnavailable('another program has the control port');
  if (greeting.protocol !== PROTOCOL_VERSION) {
    throw new ProtocolMismatch(
      `the running engine host speaks version ${greeting.protocol} of the control protocol, this program ` +
        `version ${PROTOCOL_VERSION}: stop it with the program that started it`,
    );
  }
  const nonces = { host: greeting.nonce, client: random.bytes(NONCE_BYTES).toString('hex') };
  const answer = messages.next();
  writeLine(socket, { nonce: nonces.client, proof: proofOf('client', token, nonces) });
  const welcome = (await answer) as Welcome;
  if (!isProof(welcome?.proof, 'host', token, nonces)) {
    throw new EngineUnavailable('the program on the control port does not hold the token');
  }
  return welcome;
}
