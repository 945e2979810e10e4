import type { MigrationSchema } from './store.ts';

/** Column types of one database for the words in braces of a migration. */
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
  // "C" compares bytes, as SQLite does: keys have the same order in both databases.
  text: 'TEXT COLLATE "C"',
  int64: 'BIGINT',
  real: 'DOUBLE PRECISION',
  bytes: 'BYTEA',
  strict: '',
};

export function migrationSchema(
  types: ColumnTypes,
  execute: (statement: string) => Promise<void>,
): MigrationSchema {
  return { run: (statement) => execute(fillIn(statement, types)) };
}

function fillIn(statement: string, types: ColumnTypes): string {
  return statement.replace(/\{(\w+)\}/g, (whole, word: string) => {
    if (!Object.hasOwn(types, word)) throw new Error(`Unknown column type ${whole} in a migration`);
    return types[word as keyof ColumnTypes];
  });
}
