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
/** How often the server in use is asked whether it accepts writes, if there are several. */
const WATCH_MS = 2_000;

export interface PoolParts {
  readonly machine: MachineClock;
  readonly log: Log;
}

/** A connection that knows its server, and that can be broken at once. */
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
 * The connections to the server that accepts writes. With several hosts in the URL, the pool finds this server, and
 * moves when another one is promoted.
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
    // A connection may break while it is idle; without this listener, the process would exit.
    this.#pool.on('error', ({ message: reason }: Error) =>
      parts.log.warn({ reason }, 'a database connection was lost'),
    );
    if (isSeveral) this.#watch = this.#startWatch();
  }

  /** The pool creates its connections with this class. */
  #clientClass() {
    const pool = this;
    return class extends HostClient {
      constructor(config: pg.ClientConfig) {
        super({ ...config, connectionString: pool.#host?.url ?? '' });
        pool.#clients.add(this);
        this.once('end', () => pool.#clients.delete(this));
        // A connection may break between two statements; then its next statement fails.
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
   * Called when the server in use has refused a write as read-only. New transactions get new connections, since the
   * name of a host may have another address by now. Returns whether the transaction can run again: a server accepts
   * writes.
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
    // First the server in use: a former primary can accept writes too, until it has been stopped.
    const others = this.#parts.hosts.filter((host) => host !== former);
    const hosts = former === undefined ? others : [former, ...others];
    const found = await findWritable({ ...this.#parts, hosts });
    if (found === former) return;
    this.#host = found;
    if (former !== undefined)
      this.#parts.log.warn({ from: former.name, to: found.name }, 'the database has moved to another server');
    // The former server may be suspended, and never answer.
    for (const client of this.#clients) if (client.server !== found.url) client.break();
  }

  /**
   * Asks the server in use. A machine that has lost its network, or a suspended server, closes no connections, so
   * statements would wait for many minutes. If it does not answer in time, and another server accepts writes, the pool
   * moves there.
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
      // No server accepts writes. The requests report it.
      onError: () => {},
    });
  }

  async end(): Promise<void> {
    await this.#watch?.stop();
    await this.#pool.end();
  }
}

/** Whether another server may accept the connection. Not if the pool only has no free connection. */
function isAway(error: unknown): boolean {
  if (error instanceof ReadOnlyServer) return true;
  const { message } = Object(error) as { message?: unknown };
  if (message === 'timeout exceeded when trying to connect') return false;
  const translated = postgresError(error, '');
  return translated instanceof StoreError && translated.kind === 'unavailable';
}
