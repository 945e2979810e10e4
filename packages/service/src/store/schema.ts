import { type Kysely, sql } from 'kysely';
import type { MigrationSchema } from './store.ts';

/** The types of a database for the placeholders in the statements of migrations, such as `{text}`. */
export interface ColumnTypes {
  readonly text: string;
  readonly int64: string;
  readonly real: string;
  readonly bytes: string;
  readonly strict: string;
}

export const sqliteColumnTypes: ColumnTypes = {
  text: 'TEXT',
  int64: 'INTEGER',
  real: 'REAL',
  bytes: 'BLOB',
  strict: 'STRICT',
};

export const postgresColumnTypes: ColumnTypes = {
  // With the collation "C", PostgreSQL compares bytes, as SQLite does, so that both databases sort keys in the same
  // order.
  text: 'TEXT COLLATE "C"',
  int64: 'BIGINT',
  real: 'DOUBLE PRECISION',
  bytes: 'BYTEA',
  strict: '',
};

/** Maximum number of rows that a migration keeps in memory. A row with a document has a few kilobytes. */
const ROWS_AT_ONCE = 500;

export function migrationSchema(db: Kysely<unknown>, types: ColumnTypes): MigrationSchema {
  return {
    from: <Tables>() => db as Kysely<Tables>,
    rows: (table, key) => rowsIn(db, table, key),
    async run(statement) {
      await sql.raw(fillIn(statement, types)).execute(db);
    },
  };
}

async function* rowsIn<Row>(
  db: Kysely<unknown>,
  table: string,
  key: string & keyof Row,
): AsyncGenerator<Row> {
  const column = sql.ref(key);
  let after = '';
  for (let isLast = false; !isLast; ) {
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(table)} WHERE ${column} > ${after} ORDER BY ${column} LIMIT ${ROWS_AT_ONCE}
    `.execute(db);
    yield* rows;
    after = String(rows.at(-1)?.[key]);
    isLast = rows.length < ROWS_AT_ONCE;
  }
}

function fillIn(statement: string, types: ColumnTypes): string {
  return statement.replace(/\{(\w+)\}/g, (whole, word: string) => {
    if (!Object.hasOwn(types, word)) throw new Error(`Unknown column type ${whole} in a migration`);
    return types[word as keyof ColumnTypes];
  });
}
