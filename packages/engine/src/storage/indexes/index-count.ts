import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../file/database.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { isMultikey } from '../model/multikey.ts';
import type { KeyRange } from '../model/range.ts';
import { RowSet } from './row-set.ts';

/** Counts the keys in the ranges, examining at most `most`. */
export function countKeys(
  connection: Connection,
  { table }: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  let count = 0;
  for (const range of ranges) {
    if (count >= most) break;
    connection.running.check();
    const { where, values } = clauseOf(range);
    const sql = Number.isFinite(most)
      ? `SELECT count(*) FROM (SELECT 1 FROM ${table} ${where} LIMIT ?)`
      : `SELECT count(*) FROM ${table} ${where}`;
    const limit = Number.isFinite(most) ? [most - count] : [];
    count += connection.get<[number]>(sql, ...values, ...limit)?.[0] ?? 0;
  }
  return count;
}

/** Counts the documents with keys in the ranges, examining at most `most` keys. */
export function countDocuments(
  connection: Connection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  const count = documentsIn(connection, index, ranges, most);
  const { examined } = connection.running;
  examined.keys += count;
  examined.path ??= { kind: 'index', index, ranges, reverse: false, counted: true };
  return count;
}

function documentsIn(
  connection: Connection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  if (!isMultikey(index.multikey) && index.kind !== 'wildcard')
    return countKeys(connection, index, ranges, most);
  const seen = new RowSet(connection.get<[number | null]>(`SELECT max(rid) FROM ${index.table}`)?.[0] ?? 0);
  for (const range of ranges) {
    if (seen.size >= most) break;
    connection.running.check();
    addRows(connection, index.table, range, seen, most);
  }
  return Math.min(seen.size, most);
}

/**
 * Number of row ids that SQLite concatenates into one result. This is several times as fast as reading them row by row.
 */
const ROWS_AT_ONCE = 20_000;

function addRows(connection: Connection, table: string, range: KeyRange, seen: RowSet, most: number): void {
  const { where, values } = clauseOf(range);
  for (let offset: SqlValue[] = []; ; ) {
    const [rest, from] = offset.length === 0 ? [where, values] : clauseAfter(range, offset);
    const row = connection.get<readonly [number, string | null, Uint8Array | null]>(
      `SELECT count(*), group_concat(rid), max(key) FROM (SELECT key, rid FROM ${table} ${rest} ORDER BY key, rid LIMIT ?)`,
      ...from,
      ROWS_AT_ONCE,
    );
    const [rows = 0, ids = null, key = null] = row ?? [];
    const last = ids === null ? 0 : seen.addAll(ids);
    if (rows < ROWS_AT_ONCE || key === null || seen.size >= most) return;
    offset = [key, last];
  }
}

/** Returns the SQL condition for the keys of a range that follow a key and row. */
function clauseAfter({ high }: KeyRange, offset: SqlValue[]): [string, SqlValue[]] {
  const end = high === undefined ? [] : [high];
  return [`WHERE (key, rid) > (?, ?)${high === undefined ? '' : ' AND key < ?'}`, [...offset, ...end]];
}

/** Counts the distinct keys among the first `most` of each range. */
export function countDistinct(
  connection: Connection,
  { table }: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  let count = 0;
  for (const range of ranges) {
    const { where, values } = clauseOf(range);
    const sql = `SELECT count(DISTINCT key) FROM (SELECT key FROM ${table} ${where} LIMIT ?)`;
    count += connection.get<[number]>(sql, ...values, most)?.[0] ?? 0;
  }
  return count;
}

function clauseOf({ low, high }: KeyRange): { where: string; values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  if (low.length > 0) {
    terms.push('key >= ?');
    values.push(low);
  }
  if (high !== undefined) {
    terms.push('key < ?');
    values.push(high);
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}
