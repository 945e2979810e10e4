import type { RunningStatement } from '../model/running-statement.ts';
import { Connection } from './connection.ts';

/** Number of idle connections that are kept for later snapshots; each takes about 100 KB. */
const KEPT = 4;

const settings = `
  PRAGMA query_only = ON;
  PRAGMA cache_size = -1024;
  PRAGMA temp_store = MEMORY;`;

/** The file as of one commit, until the snapshot is released. */
export interface Snapshot {
  readonly connection: Connection;
  release(): void;
}

/**
 * Connections to a cluster's file. Each connection reads the file as of the commit at which its snapshot was
 * taken. A snapshot in use prevents SQLite from resetting the WAL, so callers release it within about a
 * minute.
 */
export class Snapshots {
  readonly #file: string;
  readonly #running: RunningStatement;
  readonly #key: Uint8Array | undefined;
  readonly #idle: Connection[] = [];
  readonly #used = new Set<Connection>();

  constructor({ file, running, key }: Connection) {
    this.#file = file;
    this.#running = running;
    this.#key = key;
  }

  /** Returns a snapshot of the last commit. */
  take(): Snapshot {
    const connection = this.#idle.pop() ?? this.#open();
    connection.exec('BEGIN');
    // SQLite takes the snapshot at the first read.
    connection.get('SELECT count(*) FROM sqlite_schema');
    this.#used.add(connection);
    return { connection, release: () => this.#release(connection) };
  }

  #open(): Connection {
    const connection = new Connection(this.#file, { running: this.#running, key: this.#key });
    connection.exec(settings);
    return connection;
  }

  #release(connection: Connection): void {
    if (!this.#used.delete(connection)) return;
    connection.exec('ROLLBACK');
    if (this.#idle.length < KEPT) this.#idle.push(connection);
    else connection.close();
  }

  /** Releases the memory of idle connections. */
  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  close(): void {
    for (const connection of this.#used) connection.close();
    this.#used.clear();
    this.closeIdle();
  }
}
