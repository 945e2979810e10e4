import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Connection, Database, Outcome } from '../database.ts';
import { UniqueViolation } from '../errors.ts';
import { Guard } from '../guard.ts';
import { postgresColumnTypes } from '../schema.ts';
import { isConflict, postgresError } from './errors.ts';
import { guarded } from './guarded.ts';
import { placeOf } from './location.ts';
import { retrying } from './retry.ts';
import { typeParsers } from './types.ts';

export interface PostgresParts {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  readonly leaseClock?: () => number;
}

const DEFAULT_POOL = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** Opens a pool of connections, and tests one of them. */
export async function openPostgres(
  url: string,
  poolSize: number | undefined,
  parts: PostgresParts,
): Promise<Database> {
  const database = databaseAt(placeOf(url), openPool(url, poolSize, parts.log), parts);
  try {
    await database.read((db) => sql`select 1`.execute(db));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openPool(url: string, poolSize: number | undefined, log: Log): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize ?? DEFAULT_POOL,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'portolan',
    types: typeParsers,
  });
  // A connection may break while it is idle or between statements, and its next statement then fails. Without these
  // listeners, the error would end the process.
  const lost = (error: Error) => log.warn({ reason: error.message }, 'a database connection was lost');
  pool.on('error', lost);
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

function databaseAt(place: string, pool: pg.Pool, parts: PostgresParts): Database {
  const dialect = new PostgresDialect({ pool });
  const base = new Kysely<unknown>({ dialect });
  const retry = retrying({ ...parts, isConflict });
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw postgresError(error, place);
    }
  };

  return {
    capabilities: { shared: true, rowLocks: true },
    columnTypes: postgresColumnTypes,
    place,
    machineTime: () => machineTime(parts.leaseClock),
    read: (work) => translated(() => base.connection().execute(work)),
    write: (attempt) =>
      translated(() => retryingOnce(() => retry(() => serializable(base, dialect, place, attempt)))),
    exclusively: (work) =>
      translated(() => retry(() => base.transaction().setIsolationLevel('read committed').execute(work))),
    close: () => base.destroy(),
  };
}

/**
 * Runs the work again after a unique violation. Another transaction may insert the same value between the check of this
 * transaction and its insert. Depending on the query plan, the server reports this as a serialization failure or as a
 * unique violation (postgresql.org/docs/current/transaction-iso.html). In the second run, the check finds the value and
 * throws the proper error.
 */
async function retryingOnce<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return run();
  }
}

function machineTime(clock: (() => number) | undefined) {
  return clock === undefined
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${clock()}::bigint`;
}

async function serializable<T>(
  base: Connection,
  dialect: Dialect,
  place: string,
  attempt: (db: Connection) => Promise<Outcome<T>>,
): Promise<T> {
  const guard = new Guard();
  try {
    const transaction = base.transaction().setIsolationLevel('serializable');
    const outcome = await transaction.execute(async (db) => {
      const reached = await attempt(guarded(db, guard, dialect, place));
      guard.end();
      return reached;
    });
    outcome.committed();
    return outcome.value;
  } catch (error) {
    // Retry after a conflict, even if the work has thrown another error because of it.
    throw isConflict(guard.failure) ? guard.failure : error;
  } finally {
    guard.close();
  }
}
