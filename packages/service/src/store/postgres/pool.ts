import { Socket } from 'node:net';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { postgresError } from './errors.ts';
import { hostsOf, placeOf } from './location.ts';
import { CONNECT_TIMEOUT_MS, findWritable, ReadOnlyServer, requireWritable } from './search.ts';
import { typeParsers } from './types.ts';
import { Watch } from './watch.ts';

const DEFAULT_SIZE = 10;
/**
 * Interval at which the pool checks whether the server in use still accepts writes. The pool does this only if the URL
 * has several hosts.
 */
const WATCH_MS = 2_000;

export interface PoolParts {
  readonly machine: MachineClock;
  readonly log: Log;
}

/** A connection that records the URL of its server, and that can be closed while a statement is running. */
class HostClient extends pg.Client {
  readonly server: string;
  readonly #socket: Socket;
  isInUse = false;
  /** Whether the connection is closed when its transaction ends. */
  isForgotten = false;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.server = String(config.connectionString);
    this.#socket = socket;
  }

  /** Fails the statement that is running. The pool removes the connection. */
  break(): void {
    this.isForgotten = true;
    this.#socket.destroy();
  }
}

/**
 * The connections to the server that accepts writes. If the URL has several hosts, the pool finds this server, and
 * switches to another server when that server is promoted to primary.
 */
export class HostPool implements PostgresPool {
  readonly options = {};
  readonly #parts: PoolParts & { readonly place: string; readonly hosts: ReturnType<typeof hostsOf> };
  readonly #pool: pg.Pool;
  readonly #clients = new Set<HostClient>();
  readonly #watch: Repetition | undefined;
  #host: ReturnType<typeof hostsOf>[number] | undefined;
  #search: Promise<void> | undefined;

  constructor(url: string, size: number | undefined, parts: PoolParts) {
    const hosts = hostsOf(url);
    this.#parts = { ...parts, hosts, place: placeOf(url) };
    const isSeveral = hosts.length > 1;
    if (!isSeveral) this.#host = hosts[0];
    this.#pool = new pg.Pool({
      max: size ?? DEFAULT_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'portolan',
      types: typeParsers,
      Client: this.#clientClass() as unknown as new () => pg.ClientBase,
      ...(isSeveral && { onConnect: requireWritable }),
    });
    // A connection may break while it is idle. If there were no listener, Node.js would end the process.
    this.#pool.on('error', ({ message: reason }: Error) =>
      parts.log.warn({ reason }, 'a database connection was lost'),
    );
    if (isSeveral) this.#watch = this.#startWatch();
  }

  /** Returns the class with which the pool creates its connections. */
  #clientClass() {
    const pool = this;
    return class extends HostClient {
      constructor(config: pg.ClientConfig) {
        super({ ...config, connectionString: pool.#host?.url ?? '' });
        pool.#clients.add(this);
        this.once('end', () => pool.#clients.delete(this));
        // Ignore the error of a connection that breaks between two statements, since its next statement fails.
        this.on('error', () => {});
      }
    };
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#host === undefined) await this.#find();
    try {
      return await this.#take();
    } catch (error) {
      if (this.#watch === undefined || !isAway(error)) throw error;
      await this.#find();
      return this.#take();
    }
  }

  async #take(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = (await this.#pool.connect()) as HostClient & pg.PoolClient;
      const release = client.release;
      client.isInUse = true;
      client.release = (discarded) => {
        client.isInUse = false;
        release(discarded || client.isForgotten);
      };
      if (!client.isForgotten) return client as unknown as PostgresPoolClient;
      client.release();
    }
  }

  /**
   * Called when the server in use has rejected a write because it is read-only. Makes new transactions use new
   * connections, because the host name may now resolve to another address. Returns whether the transaction can run
   * again, because the pool has found a server that accepts writes.
   */
  async leaveReadOnly(): Promise<boolean> {
    for (const client of this.#clients) {
      client.isForgotten = true;
      if (!client.isInUse) client.break();
    }
    if (this.#watch === undefined) return false;
    await this.#find();
    return true;
  }

  /** Finds the server that accepts writes. */
  #find(): Promise<void> {
    this.#search ??= this.#move().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #move(): Promise<void> {
    const former = this.#host;
    // Try the server in use first. Another server can be a former primary, which also accepts writes until it is
    // stopped.
    const others = this.#parts.hosts.filter((host) => host !== former);
    const hosts = former === undefined ? others : [former, ...others];
    const found = await findWritable({ ...this.#parts, hosts });
    if (found === former) return;
    this.#host = found;
    if (former !== undefined)
      this.#parts.log.warn({ from: former.name, to: found.name }, 'the database has moved to another server');
    // Close the connections to the former server. If this server is suspended, statements on them would wait
    // forever.
    for (const client of this.#clients) if (client.server !== found.url) client.break();
  }

  /**
   * Checks the server in use at intervals. If this server does not answer in time and another server accepts writes,
   * the pool switches to the other server. A suspended server does not close its connections, and neither does a server
   * whose machine has lost its network. Without the checks, statements on these connections would wait for many
   * minutes.
   */
  #startWatch(): Repetition {
    const watch = new Watch();
    return repeat({
      machine: this.#parts.machine,
      interval: WATCH_MS,
      run: async (signal) => {
        signal.addEventListener('abort', () => watch.close(), { once: true });
        if (this.#host !== undefined && !(await watch.isWritable(this.#host)) && !signal.aborted)
          await this.#find();
      },
      // Ignore the error: no server accepts writes, and requests report this.
      onError: () => {},
    });
  }

  async end(): Promise<void> {
    await this.#watch?.stop();
    await this.#pool.end();
  }
}

/**
 * Whether the error means that the server is unavailable or read-only, so that another server may accept the
 * connection. Returns false if the pool only has no free connection.
 */
function isAway(error: unknown): boolean {
  if (error instanceof ReadOnlyServer) return true;
  const { message } = Object(error) as { message?: unknown };
  if (message === 'timeout exceeded when trying to connect') return false;
  const translated = postgresError(error, '');
  return translated instanceof StoreError && translated.kind === 'unavailable';
}
