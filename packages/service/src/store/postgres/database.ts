import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import type { Connection, Database, Outcome } from '../database.ts';
import { UniqueViolation } from '../errors.ts';
import { Guard } from '../guard.ts';
import { postgresColumnTypes } from '../schema.ts';
import { isConflict, isReadOnly, postgresError } from './errors.ts';
import { guarded } from './guarded.ts';
import { checkSession, placeOf } from './location.ts';
import { HostPool } from './pool.ts';
import { retrying } from './retry.ts';

export interface PostgresParts {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
  readonly leaseClock?: () => number;
}

/** Opens a pool of connections, and tests one of them. */
export async function openPostgres(
  url: string,
  poolSize: number | undefined,
  parts: PostgresParts,
): Promise<Database> {
  checkSession(url);
  const database = databaseAt(placeOf(url), new HostPool(url, poolSize, parts), parts);
  try {
    await database.read((db) => sql`select 1`.execute(db));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function databaseAt(place: string, pool: HostPool, parts: PostgresParts): Database {
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

  const writing = <T>(work: () => Promise<T>): Promise<T> => translated(() => moving(pool, work));

  return {
    capabilities: { shared: true, rowLocks: true },
    columnTypes: postgresColumnTypes,
    place,
    machineTime: () => machineTime(parts.leaseClock),
    read: (work) => translated(() => base.connection().execute(work)),
    write: (attempt) =>
      writing(() => retryingOnce(() => retry(() => serializable(base, dialect, place, attempt)))),
    exclusively: (work) =>
      writing(() => retry(() => base.transaction().setIsolationLevel('read committed').execute(work))),
    close: () => base.destroy(),
  };
}

/**
 * Calls `run`. If this fails because the server does not accept writes, calls it again when another server accepts
 * writes. The first call has committed nothing.
 */
async function moving<T>(pool: HostPool, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isReadOnly(error) || !(await pool.leaveReadOnly())) throw error;
    return run();
  }
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
    // A statement can fail because of a conflict, and the code can then throw another error. Throw the error of the
    // conflict, so that the transaction is retried.
    throw isConflict(guard.failure) ? guard.failure : error;
  } finally {
    guard.close();
  }
}
