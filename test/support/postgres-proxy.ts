import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * Stands between a service and PostgreSQL and lets one call go wrong: the nth one, or the nth COMMIT, over all connections.
 * It speaks no more of the protocol than where messages begin and where a call ends
 * (postgresql.org/docs/current/protocol-message-formats.html).
 */
export interface PostgresProxy {
  /** As that of the server, but through here. */
  readonly url: string;
  /** Calls and COMMITs that have come by. */
  readonly calls: { readonly all: number; readonly commits: number };
  plan(plan: CallPlan): void;
  /** Nothing goes wrong any more; answers whether it has. */
  endPlan(): boolean;
  /**
   * Resolves when the server has ended every connection whose client has gone: until then it may still be at what it was
   * sent last.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `before`: the connection ends, and the server has not seen the call. `after`: it ends, and the server has done it.
 * `late`: nothing else happens for a while. Any other: the error with this code is the server's answer, and nothing is done.
 */
export const mishaps = ['before', 'after', 'late', '53100', '40001', '57014'] as const;

export interface CallPlan {
  readonly at: number;
  readonly of: keyof PostgresProxy['calls'];
  readonly mishap: (typeof mishaps)[number];
}

const LATE_MS = 300;

interface State {
  readonly calls: { all: number; commits: number };
  plan: CallPlan | undefined;
  readonly leaving: Set<Promise<unknown>>;
}

export async function startPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const url = new URL(serverUrl);
  const [host, port] = [url.hostname, Number(url.port)];
  const state: State = { calls: { all: 0, commits: 0 }, plan: undefined, leaving: new Set() };
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
      while (state.leaving.size > 0) await Promise.all(state.leaving);
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** A message that is named by its first byte, and ends where its length says; the very first has no name. */
function frameLength(bytes: Buffer, isNamed: boolean): number | undefined {
  const at = isNamed ? 1 : 0;
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
  #isNamed = false;
  /** The messages of the call that is being sent: all up to `Sync`, or a simple query. */
  #call: Buffer[] = [];
  /** What is received for a call whose response is withheld; undefined before such a call. */
  #swallowed: Buffer | undefined;

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
      // It carries out what it has, reads that there is no more, and ends.
      const { leaving } = this.#state;
      leaving.add(gone);
      void gone.then(() => leaving.delete(gone));
      upstream.resume().end();
    });
    upstream.once('close', () => client.destroy());
  }

  #fromClient(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    for (;;) {
      const length = frameLength(this.#pending, this.#isNamed);
      if (length === undefined) return;
      const frame = this.#pending.subarray(0, length);
      this.#pending = this.#pending.subarray(length);
      const isFirst = !this.#isNamed;
      this.#isNamed = true;
      if (isFirst || /[pX]/.test(kindOf(frame))) this.#upstream.write(frame);
      else this.#take(frame);
    }
  }

  #take(frame: Buffer): void {
    this.#call.push(frame);
    const kind = kindOf(frame);
    if (kind !== 'Q' && kind !== 'S') return;
    const call = Buffer.concat(this.#call);
    this.#call = [];
    const isCommit = kind === 'Q' && /^commit\0$/i.test(frame.toString('latin1', 5));
    const { calls, plan } = this.#state;
    calls.all++;
    if (isCommit) calls.commits++;
    const isMet = plan !== undefined && calls[plan.of] === plan.at && (plan.of === 'all' || isCommit);
    if (!isMet) {
      this.#upstream.write(call);
      return;
    }
    this.#state.plan = undefined;
    this.#goWrong(plan.mishap, call);
  }

  #goWrong(mishap: CallPlan['mishap'], call: Buffer): void {
    switch (mishap) {
      case 'before':
        this.#client.destroy();
        return;
      case 'after':
        this.#swallowed = Buffer.alloc(0);
        this.#upstream.write(call);
        return;
      case 'late':
        void setTimeout(LATE_MS).then(() => this.#upstream.write(call));
        return;
      default:
        this.#upstream.write(failing(mishap));
    }
  }

  #fromServer(bytes: Buffer): void {
    if (this.#swallowed === undefined) {
      this.#client.write(bytes);
      return;
    }
    this.#swallowed = Buffer.concat([this.#swallowed, bytes]);
    for (;;) {
      const length = frameLength(this.#swallowed, true);
      if (length === undefined) return;
      // The server waits for the next call: this one is done.
      if (kindOf(this.#swallowed) === 'Z') this.#client.destroy();
      this.#swallowed = this.#swallowed.subarray(length);
    }
  }
}

/** A call of which the server makes this error; what it stands in the place of has never been there. */
function failing(code: string): Buffer {
  const text = `DO $$ BEGIN RAISE EXCEPTION 'made to fail' USING ERRCODE = '${code}'; END $$\0`;
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}
