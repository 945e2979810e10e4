import { DatabaseSync } from 'node:sqlite';
import { sqliteError } from './errors.ts';

/** A row that exists in only one of two databases, or that differs between them. */
export interface RowDifference {
  readonly table: string;
  /** The values of the row's key. */
  readonly key: readonly (string | number)[];
  /** The value of the column `name`; absent if the table has no such column. */
  readonly name?: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** The store's own tables, which are not compared. */
const OWN = ['migration', 'sqlite_sequence'];

/**
 * Returns how the second of two database files differs from the first. Nothing may write to the files during the
 * comparison. Compares only tables and columns that both files have. Skips the tables in `leftOut`.
 */
export function compareDatabases(before: string, after: string, leftOut: readonly string[]): RowDifference[] {
  try {
    const db = new DatabaseSync(':memory:');
    try {
      db.prepare('ATTACH ? AS a').run(before);
      db.prepare('ATTACH ? AS b').run(after);
      const tables = namesIn(db, 'a').filter((name) => namesIn(db, 'b').includes(name));
      const compared = tables.filter((name) => !OWN.includes(name) && !leftOut.includes(name));
      return compared.flatMap((table) => compareTable(db, table));
    } finally {
      db.close();
    }
  } catch (error) {
    throw sqliteError(error, after);
  }
}

function namesIn(db: DatabaseSync, schema: string): string[] {
  const rows = db
    .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all();
  return rows.map(({ name }) => String(name));
}

interface Column {
  readonly name: string;
  /** Position of the column in the primary key, starting at 1; 0 if the key does not contain it. */
  readonly pk: number;
}

function columnsOf(db: DatabaseSync, schema: string, table: string): Column[] {
  const rows = db.prepare('SELECT name, pk FROM pragma_table_info(?, ?)').all(table, schema);
  return rows.map(({ name, pk }) => ({ name: String(name), pk: Number(pk) }));
}

function compareTable(db: DatabaseSync, table: string): RowDifference[] {
  const [before, after] = [columnsOf(db, 'a', table), columnsOf(db, 'b', table)];
  const both = before.filter(({ name }) => after.some((one) => one.name === name));
  const keyed = both.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  // Without a primary key, all columns identify the row.
  const key = (keyed.length > 0 ? keyed : both).map(({ name }) => name);
  const named = both.some(({ name }) => name === 'name') && !key.includes('name');
  const keys = key.join(', ');
  const all = both.map(({ name }) => name).join(', ');
  const only = (one: string, other: string) =>
    `SELECT ${keys} FROM ${one}.${table} EXCEPT SELECT ${keys} FROM ${other}.${table}`;
  const changed = `SELECT ${keys} FROM (SELECT ${all} FROM b.${table} EXCEPT SELECT ${all} FROM a.${table})
    INTERSECT SELECT ${keys} FROM a.${table}`;
  const found = (change: RowDifference['change'], sql: string, schema: string) =>
    db
      .prepare(named ? `SELECT ${keys}, name FROM ${schema}.${table} WHERE (${keys}) IN (${sql})` : sql)
      .all()
      .map((row) => ({
        table,
        key: key.map((name) => readable(row[name])),
        ...(named && row.name !== null ? { name: String(row.name) } : {}),
        change,
      }));
  return [
    ...found('removed', only('a', 'b'), 'a'),
    ...found('added', only('b', 'a'), 'b'),
    ...(keyed.length > 0 ? found('changed', changed, 'b') : []),
  ];
}

function readable(value: unknown): string | number {
  if (typeof value === 'number' || typeof value === 'string') return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
