import type { Connection } from './connection.ts';

/** Limits of the length of a write-ahead log, in pages of 8 KiB. */
export interface LogLimits {
  /** When the log reaches this length, it is checkpointed. */
  readonly checkpointed: number;
  /** If at most this many pages remain to be checkpointed, the thread that runs the statements checkpoints them. */
  readonly rest: number;
  /** If the log is longer than this, writes wait for a checkpoint. */
  readonly full: number;
  /** If the log is longer than this, and snapshots prevent its checkpoint, the snapshots end. */
  readonly held: number;
}

const PAGE_BYTES = 8_192;
/** The limit `full`. A checkpoint of a log of this length takes about 0.4 s of CPU time. */
const FULL_BYTES = 256 * 1024 * 1024;

/** The limit `held`. */
const HELD_BYTES = 1024 * 1024 * 1024;

/** The limits of a cluster's log. `checkpointed` is 16 MiB. `rest` is 4 MiB, which take about 5 ms of CPU time. */
export const logLimits: LogLimits = {
  checkpointed: 2_000,
  rest: 512,
  full: FULL_BYTES / PAGE_BYTES,
  held: HELD_BYTES / PAGE_BYTES,
};

/** The first version of SQLite that returns the length of the log without a checkpoint (`wal_checkpoint(NOOP)`). */
const COUNTS_SINCE = [3, 51] as const;

/**
 * The write-ahead log (WAL) of a cluster's file. By default, SQLite checkpoints the log within a COMMIT. Copying 120 MB
 * takes 120 to 200 ms of CPU time, in which the thread serves no other cluster. Therefore another thread copies most
 * pages. During that checkpoint, new commits add a short rest to the log. This thread copies the rest, so that SQLite
 * starts again at the beginning of the log. Otherwise the log would grow without limit while it is written all the
 * time.
 */
export class WriteAheadLog {
  readonly #connection: Connection;
  readonly #work: ThreadWork;
  readonly #limits: LogLimits;
  #running = false;
  /** Resolves when the running checkpoint has ended. */
  #current = Promise.resolve();
  #full = false;
  #closed = false;
  /** True if the whole log is to be checkpointed, even if it is short. */
  #wanted = false;
  /** True if the other thread must drop tables that are left over. */
  #hasLeftovers = false;
  /** Called when writes no longer need to wait. */
  onRoom = (): void => {};
  /** Called when snapshots must end, so that the log can be checkpointed. */
  onHeld = (): void => {};

  private constructor(connection: Connection, work: ThreadWork, limits: LogLimits) {
    this.#connection = connection;
    this.#work = work;
    this.#limits = limits;
    connection.exec('PRAGMA wal_autocheckpoint = 0');
  }

  /** If SQLite is too old, returns undefined. Commits then checkpoint the log. */
  static of(connection: Connection, work: ThreadWork, limits: LogLimits): WriteAheadLog | undefined {
    const [version] = connection.get<[string]>('SELECT sqlite_version()') ?? ['0.0'];
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [since, sinceMinor] = COUNTS_SINCE;
    if (major < since || (major === since && minor < sinceMinor)) return undefined;
    return new WriteAheadLog(connection, work, limits);
  }

  /**
   * True if writes must wait, because they fill the log faster than it is checkpointed, or because the other thread
   * drops tables. They do not wait for snapshots to be released, because this can take a minute.
   */
  get isFull(): boolean {
    return this.#full;
  }

  /** Checkpoints a long log. Called after each transaction. Does not throw, because the transaction is durable. */
  committed(): void {
    const log = this.#length();
    if (log === undefined || log.pages < this.#limits.checkpointed || log.rest === 0) return;
    if (this.#running) this.#full ||= log.pages > this.#limits.full;
    else this.#copy(log);
  }

  /** Starts to checkpoint the whole log. */
  finish(): void {
    const log = this.#length();
    if (log === undefined || log.rest === 0) return;
    this.#wanted = true;
    if (!this.#running) this.#copy(log);
  }

  /** Lets the other thread drop the tables that are left over. Must not be called within a transaction. */
  dropLeftovers(): void {
    this.#hasLeftovers = true;
    if (!this.#running) this.#start(this.#length() ?? NO_LENGTH);
  }

  #copy(log: Length): void {
    if (log.rest <= this.#limits.rest) this.#copyHere();
    else this.#start(log);
  }

  #copyHere(): void {
    this.#wanted = false;
    try {
      this.#connection.get('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Ignore the error. The log keeps the pages, and the next commit tries again. SQLite, too, ignores errors of its
      // own checkpoints.
    }
  }

  #start({ pages, copied }: Length): void {
    const dropsTables = this.#hasLeftovers;
    this.#hasLeftovers = false;
    this.#running = true;
    this.#full = dropsTables || pages > this.#limits.full;
    this.#current = new Promise((resolve) => {
      this.#work({ dropsTables }, () => {
        this.#ended(copied);
        resolve();
      });
    });
  }

  #ended(copiedBefore: number): void {
    this.#running = false;
    if (this.#hasLeftovers && !this.#closed) {
      this.#start(this.#length() ?? NO_LENGTH);
      return;
    }
    const log = this.#closed ? undefined : this.#length();
    if (log !== undefined) {
      const isDue = this.#wanted || log.pages >= this.#limits.checkpointed;
      // If no page was copied, a snapshot still needs the old content of the pages, or the disk is full.
      const isStuck = log.copied === copiedBefore;
      // A statement may be paused now, and read from a snapshot. Snapshots must not end before its thread is free.
      if (isStuck && log.pages > this.#limits.held) queueMicrotask(() => this.onHeld());
      if (log.rest > this.#limits.rest && (this.#full || this.#wanted) && !isStuck) {
        this.#start(log);
        return;
      }
      if (isDue && log.rest > 0 && log.rest <= this.#limits.rest) this.#copyHere();
    }
    this.#wanted = false;
    const hasWaited = this.#full;
    this.#full = false;
    if (hasWaited) this.onRoom();
  }

  /** Returns the length of the log. Returns undefined if the log cannot be read. */
  #length(): Length | undefined {
    try {
      const [, pages = 0, copied = 0] = this.#connection.get<number[]>('PRAGMA wal_checkpoint(NOOP)') ?? [];
      return { pages, copied, rest: pages - copied };
    } catch {
      return undefined;
    }
  }

  /** Lets waiting writes run, because the file is about to close. */
  close(): void {
    this.#closed = true;
    this.#full = false;
  }

  /**
   * Lets another thread checkpoint the log. Otherwise SQLite would checkpoint it in this thread when the last
   * connection closes. Returns undefined if only a short rest is left.
   */
  drain(): Promise<void> | undefined {
    this.close();
    return this.#running ? this.#current.then(() => this.#drainRest()) : this.#drainRest();
  }

  #drainRest(): Promise<void> | undefined {
    const log = this.#length();
    if (log === undefined || log.rest <= this.#limits.rest) return undefined;
    return new Promise((resolve) => this.#work({ dropsTables: false }, resolve));
  }
}

export interface LogWork {
  /** True if the tables that are left over are dropped before the checkpoint. */
  readonly dropsTables: boolean;
}

/**
 * Checkpoints the file in another thread, as far as readers permit, and then calls `ended`. This may be in the middle of
 * a statement, but not before the function returns. Never throws.
 */
export type ThreadWork = (work: LogWork, ended: () => void) => void;

interface Length {
  readonly pages: number;
  /** Number of pages that have been checkpointed. */
  readonly copied: number;
  /** Number of pages that have not been checkpointed. */
  readonly rest: number;
}

const NO_LENGTH: Length = { pages: 0, copied: 0, rest: 0 };
