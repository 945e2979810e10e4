import type { RunningStatement } from '../model/running-statement.ts';
import { Connection } from './connection.ts';

/** Idle connections that are kept for the next transaction; each holds some 100 KB. */
const KEPT = 4;

const settings = `
  PRAGMA query_only = ON;
  PRAGMA cache_size = -1024;
  PRAGMA temp_store = MEMORY;`;

/** The file as it was at one moment, for as long as it is not released. */
export interface Snapshot {
  readonly connection: Connection;
  release(): void;
}

/**
 * Connections that read the file of a cluster as it was when they were taken. While one of them is in use the log of
 * the file cannot begin anew, so whoever takes one gives it back within a minute or so.
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

  /** Of what was committed last. */
  take(): Snapshot {
    const connection = this.#idle.pop() ?? this.#open();
    connection.exec('BEGIN');
    // The moment is that of the first read.
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

  /** Gives the memory of connections that nobody uses back. */
  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  close(): void {
    for (const connection of this.#used) connection.close();
    this.#used.clear();
    this.closeIdle();
  }
}
