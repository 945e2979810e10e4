import { RawDocument } from '../bson/raw.ts';
import type { Connection } from './file/connection.ts';

/** The last retryable write of each session and its results, stored in the transaction of the write. */
export class RetryTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(session: string): RawDocument | undefined {
    const row = this.#connection.get<[Uint8Array]>('SELECT outcomes FROM retries WHERE session = ?', session);
    return row && new RawDocument(row[0]);
  }

  /** Must run inside `write`. Stores results of a session. `used` is machine time, in milliseconds since the epoch. */
  save(session: string, used: number, outcomes: RawDocument): void {
    this.#connection.run(
      `INSERT INTO retries (session, used, outcomes) VALUES (?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET used = excluded.used, outcomes = excluded.outcomes`,
      session,
      Math.round(used),
      outcomes.toBytes(),
    );
  }

  /**
   * Must run inside `write`. Deletes records that were last used before `time`, in machine time. Returns false if none
   * is left.
   */
  forget(time: number): boolean {
    this.#connection.run('DELETE FROM retries WHERE used <= ?', Math.round(time));
    return this.#connection.get('SELECT 1 FROM retries') !== undefined;
  }
}
