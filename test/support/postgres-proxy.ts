import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * A proxy between a service and PostgreSQL that makes one call fail: the nth call or the nth COMMIT, counted over all
 * connections. It parses only the boundaries of messages and the ends of calls
 * (postgresql.org/docs/current/protocol-message-formats.html).
 */
export interface PostgresProxy {
  /** The URL of the server, through the proxy. */
  readonly url: string;
  /** How many calls and COMMITs the proxy has counted since the last `plan`. */
  readonly calls: { readonly all: number; readonly commits: number };
  plan(plan: CallPlan): void;
  /** Removes the plan. Returns whether the call failed as planned. */
  endPlan(): boolean;
  /**
   * Resolves when the server has closed every connection whose client has disconnected. Until then, the server may
   * still execute a call.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * How a call fails. `before` closes the connection before the server receives the call. `after` closes the connection
 * after the server has executed the call. `delayed` delivers the call to the server later. With an SQLSTATE, the server
 * does not execute the call, and returns the error with this SQLSTATE.
 */
export const failures = ['before', 'after', 'delayed', '53100', '40001', '57014'] as const;

export interface CallPlan {
  readonly at: number;
  readonly of: keyof PostgresProxy['calls'];
  readonly failure: (typeof failures)[number];
}

const DELAY_MS = 300;

interface State {
  readonly calls: { all: number; commits: number };
  plan: CallPlan | undefined;
  readonly closing: Set<Promise<unknown>>;
}

export async function startPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const url = new URL(serverUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const state: State = { calls: { all: 0, commits: 0 }, plan: undefined, closing: new Set() };
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect({ host, port });
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => socket.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
    new Relay(state, client, upstream).run();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    calls: state.calls,
    plan(plan) {
      Object.assign(state.calls, { all: 0, commits: 0 });
      state.plan = plan;
    },
    endPlan() {
      const hasHappened = state.plan === undefined;
      state.plan = undefined;
      return hasHappened;
    },
    async settled() {
      while (state.closing.size > 0) await Promise.all(state.closing);
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/**
 * Returns the length of the first message; undefined if the message is incomplete. Only the very first message of a
 * connection has no type byte.
 */
function frameLength(bytes: Buffer, hasType: boolean): number | undefined {
  const at = hasType ? 1 : 0;
  if (bytes.length < at + 4) return undefined;
  const length = at + bytes.readUInt32BE(at);
  return bytes.length < length ? undefined : length;
}

const kindOf = (frame: Buffer) => String.fromCharCode(frame[0] ?? 0);

class Relay {
  readonly #state: State;
  readonly #client: Socket;
  readonly #upstream: Socket;
  #pending = Buffer.alloc(0);
  #hasType = false;
  /** The messages of the current call so far. A call ends with `Sync`, or is a simple query. */
  #call: Buffer[] = [];
  /** The part of a withheld response that has not been parsed; undefined while no response is withheld. */
  #withheld: Buffer | undefined;

  constructor(state: State, client: Socket, upstream: Socket) {
    this.#state = state;
    this.#client = client;
    this.#upstream = upstream;
  }

  run(): void {
    const [client, upstream] = [this.#client, this.#upstream];
    const gone = new Promise((resolve) => upstream.once('close', resolve));
    client.on('data', (bytes) => this.#fromClient(bytes));
    upstream.on('data', (bytes) => this.#fromServer(bytes));
    client.once('close', () => {
      // The server executes the calls that it has received. Then, it reads the end of the stream and closes the
      // connection.
      const { closing: leaving } = this.#state;
      leaving.add(gone);
      void gone.then(() => leaving.delete(gone));
      upstream.resume().end();
    });
    upstream.once('close', () => client.destroy());
  }

  #fromClient(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const length = frameLength(this.#pending, this.#hasType);
      if (length === undefined) return;
      const frame = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      const isFirst = !this.#hasType;
      this.#hasType = true;
      if (isFirst || /[pX]/.test(kindOf(frame))) this.#upstream.write(frame);
      else this.#receive(frame);
    }
  }

  #receive(frame: Buffer): void {
    this.#call.push(frame);
    const kind = kindOf(frame);
    if (kind !== 'Q' && kind !== 'S') return;
    const call = Buffer.concat(this.#call);
    this.#call = [];
    const isCommit = kind === 'Q' && /^commit\0$/i.test(frame.toString('latin1', 5));
    const { calls, plan } = this.#state;
    calls.all++;
    if (isCommit) calls.commits++;
    const isPlanned = plan !== undefined && calls[plan.of] === plan.at && (plan.of === 'all' || isCommit);
    if (!isPlanned) {
      this.#upstream.write(call);
      return;
    }
    this.#state.plan = undefined;
    this.#fail(plan.failure, call);
  }

  #fail(failure: CallPlan['failure'], call: Buffer): void {
    switch (failure) {
      case 'before':
        this.#client.destroy();
        return;
      case 'after':
        this.#withheld = Buffer.alloc(0);
        this.#upstream.write(call);
        return;
      case 'delayed':
        void setTimeout(DELAY_MS).then(() => this.#upstream.write(call));
        return;
      default:
        this.#upstream.write(failingCall(failure));
    }
  }

  #fromServer(bytes: Buffer): void {
    if (this.#withheld === undefined) {
      this.#client.write(bytes);
      return;
    }
    this.#withheld = Buffer.concat([this.#withheld, bytes]);
    for (;;) {
      const length = frameLength(this.#withheld, true);
      if (length === undefined) return;
      // `ReadyForQuery` means that the call was executed.
      if (kindOf(this.#withheld) === 'Z') this.#client.destroy();
      this.#withheld = this.#withheld.subarray(length);
    }
  }
}

/** Returns a call that makes the server return an error. The proxy sends it in place of the planned call. */
function failingCall(code: string): Buffer {
  const text = `DO $$ BEGIN RAISE EXCEPTION 'planned failure' USING ERRCODE = '${code}'; END $$\0`;
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}
