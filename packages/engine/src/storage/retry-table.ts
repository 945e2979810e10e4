import { RawDocument } from '../bson/raw.ts';
import type { Connection } from './connection.ts';

/** The last numbered write of each session and what it did, written in the transaction of that write. */
export class RetryTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(session: string): RawDocument | undefined {
    const row = this.#connection.get<[Uint8Array]>('SELECT outcomes FROM retries WHERE session = ?', session);
    return row && new RawDocument(row[0]);
  }

  /** Inside `write`. `used` is machine time, in milliseconds since the epoch. */
  save(session: string, used: number, outcomes: RawDocument): void {
    this.#connection.run(
      `INSERT INTO retries (session, used, outcomes) VALUES (?, ?, ?)
       ON CONFLICT (session) DO UPDATE SET used = excluded.used, outcomes = excluded.outcomes`,
      session,
      Math.round(used),
      outcomes.toBytes(),
    );
  }

  /** Inside `write`. Forgets what was not used since that machine time; false when nothing is left. */
  forget(time: number): boolean {
    this.#connection.run('DELETE FROM retries WHERE used <= ?', Math.round(time));
    return this.#connection.get('SELECT 1 FROM retries') !== undefined;
  }
}
