import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Setup } from '../setups.ts';
import { rowsOf } from './rows.ts';

/**
 * Triggers in the service's database record every state transition, so that even a very short state is recorded. The
 * permitted transitions are listed here, independently of the service's own tables.
 */

interface StateMachine {
  readonly column: string;
  /** The states that may follow each state. `''` means that there is no row. */
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  /** States in which no work is pending. */
  readonly restingStates?: readonly string[];
}

export const stateMachines: Readonly<Record<string, StateMachine>> = {
  cluster: {
    column: 'state',
    restingStates: ['IDLE'],
    transitions: {
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
    restingStates: ['completed', 'failed'],
    transitions: {
      '': ['queued'],
      // Deleting a cluster deletes its snapshots in any state.
      queued: ['inProgress', 'failed', ''],
      inProgress: ['completed', 'failed', ''],
      completed: [''],
      failed: [''],
    },
  },
  outage_simulation: {
    column: 'state',
    restingStates: ['SIMULATING', 'COMPLETE'],
    transitions: {
      '': ['START_REQUESTED'],
      START_REQUESTED: ['STARTING', 'RECOVERY_REQUESTED', ''],
      STARTING: ['SIMULATING', 'RECOVERY_REQUESTED', ''],
      SIMULATING: ['RECOVERY_REQUESTED', ''],
      RECOVERY_REQUESTED: ['RECOVERING', ''],
      RECOVERING: ['COMPLETE', ''],
      // The next simulation replaces this one.
      COMPLETE: ['', 'START_REQUESTED'],
    },
  },
  alert: {
    column: 'status',
    transitions: {
      '': ['TRACKING', 'OPEN', 'CLOSED'],
      TRACKING: ['OPEN', 'CLOSED', ''],
      OPEN: ['CLOSED', ''],
      CLOSED: [''],
    },
  },
  search_index: {
    column: 'status',
    // A STALE index is still being updated, so it is not final.
    restingStates: ['READY', 'FAILED'],
    transitions: {
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

const TABLE = 'recorded_transitions';

/** Creates the triggers, which record each transition in the transaction that makes it. */
export async function recordTransitions({ settings, instances }: Setup): Promise<void> {
  if (settings.database !== undefined) {
    const client = new pg.Client({ connectionString: String(settings.database) });
    await client.connect();
    await client.query(onPostgres()).finally(() => client.end());
    return;
  }
  const database = new DatabaseSync(join(instances[0]?.dataDirectory ?? '', 'portolan.sqlite'), {
    timeout: 60_000,
  });
  database.exec(onSqlite());
  database.close();
}

function onSqlite(): string {
  const written = (table: string, id: string, before: string, after: string) =>
    `BEGIN INSERT INTO ${TABLE} VALUES ('${table}', ${id}, ${before}, ${after}); END;`;
  const triggers = Object.entries(stateMachines).map(([table, { column }]) =>
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
  const triggers = Object.entries(stateMachines).map(
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

export interface Transitions {
  /** How many transitions were recorded. */
  readonly count: number;
  /** Transitions that the tables do not permit. */
  readonly wrong: readonly string[];
}

export async function readTransitions(setup: Setup): Promise<Transitions> {
  const rows = await rowsOf(setup, `SELECT kind, id, before, after FROM ${TABLE}`);
  const wrong = rows.filter(
    ({ kind, before, after }) =>
      stateMachines[String(kind)]?.transitions[String(before)]?.includes(String(after)) !== true,
  );
  return {
    count: rows.length,
    wrong: wrong.map(({ kind, id, before, after }) => `${kind} ${id} went from '${before}' to '${after}'`),
  };
}
