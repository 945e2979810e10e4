import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Setup } from '../setups.ts';
import { rowsOf } from './rows.ts';

/**
 * Every move of a state, written down by triggers in the service's own database, so that none is missed however short a
 * state lasts; and the moves that there may be, as the documents of each kind of thing tell them.
 */

interface Machine {
  readonly column: string;
  /** From which state a thing may come into which others. `''` is not being there. */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** Where it stays when there is nothing left to do. */
  readonly rest?: readonly string[];
}

export const machines: Readonly<Record<string, Machine>> = {
  cluster: {
    column: 'state',
    rest: ['IDLE'],
    moves: {
      '': ['CREATING'],
      CREATING: ['IDLE', 'REPAIRING', 'DELETING'],
      IDLE: ['UPDATING', 'REPAIRING', 'DELETING'],
      UPDATING: ['IDLE', 'REPAIRING', 'DELETING'],
      REPAIRING: ['IDLE', 'UPDATING', 'DELETING'],
      DELETING: [''],
    },
  },
  backup_snapshot: {
    column: 'status',
    rest: ['completed', 'failed'],
    moves: {
      '': ['queued'],
      // A cluster that goes takes its snapshots along.
      queued: ['inProgress', 'failed', ''],
      inProgress: ['completed', 'failed', ''],
      completed: [''],
      failed: [''],
    },
  },
  outage_simulation: {
    column: 'state',
    rest: ['SIMULATING', 'COMPLETE'],
    moves: {
      '': ['START_REQUESTED'],
      START_REQUESTED: ['STARTING', 'RECOVERY_REQUESTED', ''],
      STARTING: ['SIMULATING', 'RECOVERY_REQUESTED', ''],
      SIMULATING: ['RECOVERY_REQUESTED', ''],
      RECOVERY_REQUESTED: ['RECOVERING', ''],
      RECOVERING: ['COMPLETE', ''],
      // Another one takes its place.
      COMPLETE: ['', 'START_REQUESTED'],
    },
  },
  alert: {
    column: 'status',
    moves: {
      '': ['TRACKING', 'OPEN', 'CLOSED'],
      TRACKING: ['OPEN', 'CLOSED', ''],
      OPEN: ['CLOSED', ''],
      CLOSED: [''],
    },
  },
  search_index: {
    column: 'status',
    // One that is STALE looks for what it has missed.
    rest: ['READY', 'FAILED'],
    moves: {
      '': ['PENDING', 'BUILDING', 'READY', 'FAILED'],
      PENDING: ['BUILDING', 'FAILED', 'DELETING', ''],
      BUILDING: ['PENDING', 'READY', 'FAILED', 'DELETING', ''],
      READY: ['PENDING', 'BUILDING', 'STALE', 'FAILED', 'DELETING', ''],
      STALE: ['PENDING', 'BUILDING', 'READY', 'FAILED', 'DELETING', ''],
      FAILED: ['PENDING', 'BUILDING', 'READY', 'STALE', 'DELETING', ''],
      DELETING: [''],
    },
  },
};

const TABLE = 'moves_seen';

/** From now on every move is written down, in the transaction that makes it. */
export async function watchMoves({ settings, instances }: Setup): Promise<void> {
  if (settings.database !== undefined) {
    const client = new pg.Client({ connectionString: String(settings.database) });
    await client.connect();
    await client.query(onPostgres()).finally(() => client.end());
    return;
  }
  const database = new DatabaseSync(join(instances[0]?.dataDirectory ?? '', 'portolan.sqlite'), {
    timeout: 10_000,
  });
  database.exec(onSqlite());
  database.close();
}

function onSqlite(): string {
  const written = (table: string, id: string, before: string, after: string) =>
    `BEGIN INSERT INTO ${TABLE} VALUES ('${table}', ${id}, ${before}, ${after}); END;`;
  const triggers = Object.entries(machines).map(([table, { column }]) =>
    [
      `CREATE TRIGGER ${TABLE}_${table}_i AFTER INSERT ON ${table}`,
      written(table, 'NEW.id', "''", `NEW.${column}`),
      `CREATE TRIGGER ${TABLE}_${table}_u AFTER UPDATE ON ${table} WHEN OLD.${column} <> NEW.${column}`,
      written(table, 'NEW.id', `OLD.${column}`, `NEW.${column}`),
      `CREATE TRIGGER ${TABLE}_${table}_d AFTER DELETE ON ${table}`,
      written(table, 'OLD.id', `OLD.${column}`, "''"),
    ].join('\n'),
  );
  const table = `CREATE TABLE ${TABLE} (kind TEXT, id TEXT, before TEXT, after TEXT);`;
  return ['BEGIN IMMEDIATE;', table, ...triggers, 'COMMIT;'].join('\n');
}

function onPostgres(): string {
  const triggers = Object.entries(machines).map(
    ([table, { column }]) => `
      CREATE FUNCTION ${TABLE}_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN INSERT INTO ${TABLE} VALUES ('${table}', NEW.id, '', NEW.${column});
        ELSIF TG_OP = 'DELETE' THEN INSERT INTO ${TABLE} VALUES ('${table}', OLD.id, OLD.${column}, '');
        ELSIF OLD.${column} <> NEW.${column} THEN
          INSERT INTO ${TABLE} VALUES ('${table}', NEW.id, OLD.${column}, NEW.${column});
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER ${TABLE}_${table} AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${TABLE}_${table}();`,
  );
  return [`CREATE TABLE ${TABLE} (kind text, id text, before text, after text);`, ...triggers].join('\n');
}

export interface Moves {
  /** How many were seen. */
  readonly seen: number;
  /** Those that there may not be. */
  readonly wrong: readonly string[];
}

export async function movesOf(setup: Setup): Promise<Moves> {
  const rows = await rowsOf(setup, `SELECT kind, id, before, after FROM ${TABLE}`);
  const wrong = rows.filter(
    ({ kind, before, after }) =>
      machines[String(kind)]?.moves[String(before)]?.includes(String(after)) !== true,
  );
  return {
    seen: rows.length,
    wrong: wrong.map(({ kind, id, before, after }) => `${kind} ${id} went from '${before}' to '${after}'`),
  };
}
