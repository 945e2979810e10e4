import type { MachineClock } from '@portolan/foundation/clock';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Connection, Outcome } from '../database.ts';
import { StoreError } from '../errors.ts';
import { Guard } from '../guard.ts';
import type { WriteOptions } from '../store.ts';
import type { SqliteConnection } from './connection.ts';
import { connectionOver } from './dialect.ts';
import type { TableVersions } from './table-versions.ts';

/**
 * Group commit. A disk sync takes 0.1 to 10 ms, blocks the event loop, and makes all earlier writes durable. Queued
 * writes therefore share one BEGIN IMMEDIATE … COMMIT. Each write has its own savepoint, and its promise resolves after
 * the commit. If no write of a group needs a sync, the commit of the group does not sync.
 */
export interface WriteQueueOptions {
  readonly machine: MachineClock;
  /** Maximum number of writes in a group. */
  readonly groupSize?: number;
  /** How long, in milliseconds, a group accepts further writes. The group blocks the event loop for about this time. */
  readonly groupTime?: number;
  /** Timeout of a write in milliseconds. While a slow write runs, all other writes wait. */
  readonly workLimit?: number;
  /** Notified of every statement, and of the end of every group. */
  readonly changes?: Pick<TableVersions, 'changing' | 'ended'>;
}

type Attempt<T> = (db: Connection) => Promise<Outcome<T>>;

interface Waiting {
  readonly attempt: Attempt<unknown>;
  readonly synced: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The result of a write. The caller of the write gets the result only after the commit. */
type Done =
  | { readonly waiting: Waiting; readonly outcome: Outcome<unknown> }
  | { readonly waiting: Waiting; readonly error: unknown; readonly failure: unknown };

export class WriteQueue {
  readonly #connection: SqliteConnection;
  readonly #machine: MachineClock;
  readonly #groupSize: number;
  readonly #groupTime: number;
  readonly #workLimit: number;
  readonly #changes: WriteQueueOptions['changes'];
  #waiting: Waiting[] = [];
  readonly #holds: (() => Promise<void>)[] = [];
  /** Whether the connection currently syncs at each commit. */
  #synced = true;
  #running: Promise<void> | undefined;

  constructor(connection: SqliteConnection, options: WriteQueueOptions) {
    this.#connection = connection;
    this.#machine = options.machine;
    this.#groupSize = options.groupSize ?? 256;
    this.#groupTime = options.groupTime ?? 10;
    this.#workLimit = options.workLimit ?? 10_000;
    this.#changes = options.changes;
  }

  write<T>(attempt: Attempt<T>, { synced = true }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ attempt, synced, resolve: (value) => resolve(value as T), reject });
      this.#running ??= this.#run();
    });
  }

  /** Runs `work` between two groups. Writes wait until `work` has ended. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#holds.push(() => work().then(resolve, reject));
      this.#running ??= this.#run();
    });
  }

  /** Resolves when all writes have ended. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      // The functions in `#holds` never reject, so no error handling is needed.
      await this.#holds.shift()?.();
      if (this.#holds.length > 0) continue;
      if (this.#waiting.length === 0) break;
      // Wait for one turn of the event loop, so that the writes of all received requests join the group.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#group();
    }
    this.#running = undefined;
  }

  async #group(): Promise<void> {
    try {
      this.#sync(this.#waiting.some(({ synced }) => synced));
      this.#connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      return;
    }
    const taken: Waiting[] = [];
    const done: Done[] = [];
    try {
      await this.#fill(taken, done);
      this.#connection.exec('COMMIT');
    } catch (error) {
      this.#connection.rollback();
      for (const { reject } of taken) reject(error);
      return;
    } finally {
      // Call this synchronously after the commit, so that no reader can run in between.
      this.#changes?.ended();
    }
    for (const one of done) if ('outcome' in one) one.outcome.committed();
    for (const one of done) {
      if ('outcome' in one) one.waiting.resolve(one.outcome.value);
      else one.waiting.reject(one.error);
    }
  }

  /**
   * Sets whether commits sync. SQLite allows this only between transactions
   * (sqlite.org/pragma.html#pragma_synchronous). The statement takes 2 µs.
   */
  #sync(synced: boolean): void {
    if (synced === this.#synced) return;
    this.#connection.exec(`PRAGMA synchronous = ${synced ? 'FULL' : 'NORMAL'}`);
    this.#synced = synced;
  }

  async #fill(taken: Waiting[], done: Done[]): Promise<void> {
    const begun = this.#machine.monotonic();
    while (taken.length < this.#groupSize) {
      const waiting = this.#waiting[0];
      // A write that needs a sync does not join a group whose commit does not sync.
      if (waiting === undefined || (waiting.synced && !this.#synced)) return;
      this.#waiting.shift();
      taken.push(waiting);
      const one = await this.#one(waiting);
      done.push(one);
      // For errors such as a full disk, SQLite rolls back the whole transaction. In this case, all writes of the group
      // fail with the error.
      if ('error' in one && !this.#connection.inTransaction) throw one.failure ?? one.error;
      if (this.#machine.monotonic() - begun > this.#groupTime) return;
    }
  }

  /** Runs one write in its savepoint. */
  async #one(waiting: Waiting): Promise<Done> {
    const guard = new Guard();
    const db = connectionOver((query) => this.#execute(query, guard));
    this.#connection.exec('SAVEPOINT one');
    try {
      const outcome = await this.#limited(waiting.attempt(db));
      guard.end();
      this.#connection.exec('RELEASE one');
      return { waiting, outcome };
    } catch (error) {
      guard.close();
      if (this.#connection.inTransaction) {
        this.#connection.exec('ROLLBACK TO one');
        this.#connection.exec('RELEASE one');
      }
      return { waiting, error, failure: guard.failure };
    }
  }

  #execute(query: CompiledQuery, guard: Guard): QueryResult<unknown> {
    guard.check();
    this.#changes?.changing(query);
    try {
      return this.#connection.execute(query);
    } catch (error) {
      guard.failed(error);
      throw error;
    }
  }

  async #limited<T>(work: Promise<T>): Promise<T> {
    let cancel = () => {};
    const limit = new Promise<never>((_, reject) => {
      cancel = this.#machine.after(this.#workLimit, () =>
        reject(
          new StoreError('busy', `A transaction took more than ${this.#workLimit} ms and was rolled back`),
        ),
      );
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      cancel();
    }
  }
}
