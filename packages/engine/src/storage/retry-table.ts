import { RawDocument } from '../bson/raw.ts';
import type { Connection } from './file/connection.ts';

/** Number of records that `forget` reads, and number of bytes that it deletes. Each takes a few milliseconds. */
const ROWS_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 4_194_304;

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
   * Must run inside `write`. Deletes records that were last used before `time`, in machine time. Reads some of the
   * records after the session `after`. Returns the last session that it read, or undefined if there are no more.
   */
  forget(time: number, after: string): { readonly last: string | undefined; readonly kept: boolean } {
    const rows = this.#connection.all<[string, number, number]>(
      `SELECT session, used, octet_length(outcomes) FROM retries WHERE session > ? ORDER BY session LIMIT ${ROWS_AT_ONCE}`,
      after,
    );
    let [read, deleted, kept] = [0, 0, false];
    for (const [session, used, bytes] of rows) {
      if (deleted >= BYTES_AT_ONCE) break;
      read++;
      if (used > Math.round(time)) {
        kept = true;
        continue;
      }
      this.#connection.run('DELETE FROM retries WHERE session = ?', session);
      deleted += bytes;
    }
    const isEnd = read === rows.length && rows.length < ROWS_AT_ONCE;
    return { last: isEnd ? undefined : rows[read - 1]?.[0], kept };
  }
}
