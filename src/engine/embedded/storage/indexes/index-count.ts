import type { Connection, SqlValue } from '../connection.ts';
import type { IndexDefinition } from './index-definition.ts';
import { isMultikey } from './multikey.ts';
import type { KeyRange } from './range.ts';

/** How many keys lie in the ranges; no more than `most` are looked at. */
export function countKeys(
  connection: Connection,
  { table }: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  let count = 0;
  for (const range of ranges) {
    if (count >= most) break;
    const { where, values } = clauseOf(range);
    const sql = Number.isFinite(most)
      ? `SELECT count(*) FROM (SELECT 1 FROM ${table} ${where} LIMIT ?)`
      : `SELECT count(*) FROM ${table} ${where}`;
    const limit = Number.isFinite(most) ? [most - count] : [];
    count += connection.get<[number]>(sql, ...values, ...limit)?.[0] ?? 0;
  }
  return count;
}

/** How many documents have keys in the ranges; no more than `most` keys are looked at. */
export function countDocuments(
  connection: Connection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  if (!isMultikey(index.multikey) && index.kind !== 'wildcard')
    return countKeys(connection, index, ranges, most);
  const seen = new Set<number>();
  for (const range of ranges) {
    const { where, values } = clauseOf(range);
    const sql = `SELECT DISTINCT rid FROM ${index.table} ${where}`;
    if (ranges.length === 1) {
      return (
        connection.get<[number]>(`SELECT count(*) FROM (${sql} LIMIT ?)`, ...values, limitOf(most))?.[0] ?? 0
      );
    }
    for (const [rid] of connection.iterate<[number]>(sql, ...values)) {
      if (seen.size >= most) return seen.size;
      seen.add(rid);
    }
  }
  return seen.size;
}

/** How many different keys there are among the first `most` in the ranges. */
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

/** A negative limit is none. */
function limitOf(most: number): number {
  return Number.isFinite(most) ? most : -1;
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
