import { keep } from '../../bson/turns.ts';
import { freeing } from '../../statement/statement.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../file/database.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { isMultikey } from '../model/multikey.ts';
import type { KeyRange } from '../model/range.ts';
import { RowSet } from '../records/row-set.ts';
import { requireIndex } from './index-scan.ts';

/**
 * Number of keys that SQLite examines in one call, which takes some milliseconds. Other statements run between the
 * calls. Concatenating the row ids of a call into one result is several times as fast as reading them row by row.
 */
const ROWS_AT_ONCE = 20_000;

/** Counts the keys in the ranges, examining at most `most`. */
export function countKeys(
  connection: Connection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  let count = 0;
  for (const range of ranges) {
    if (count >= most) break;
    connection.running.check();
    requireIndex(index);
    count += countRange(connection, index, range, most - count);
  }
  return count;
}

function countRange(connection: Connection, index: IndexDefinition, range: KeyRange, most: number): number {
  let clause = clauseOf(range);
  for (let count = 0; ; count += ROWS_AT_ONCE) {
    const wanted = Math.min(ROWS_AT_ONCE, most - count);
    const countPiece = () => {
      const { where, values } = clause;
      const sql = `SELECT count(*) FROM (SELECT 1 FROM ${index.table} ${where} ORDER BY key, rid LIMIT ?)`;
      return connection.get<[number]>(sql, ...values, wanted)?.[0] ?? 0;
    };
    // The search for the end of a piece also shows whether the piece is full. After the first piece, do not count a piece
    // as well, because this would read its keys twice.
    if (count === 0 || wanted < ROWS_AT_ONCE) {
      const found = countPiece();
      if (found < ROWS_AT_ONCE) return count + found;
    }
    pause(connection, index);
    const last = nthKey(connection, index, clause, ROWS_AT_ONCE - 1);
    if (last === undefined) return count + countPiece();
    clause = clauseAfter(range, last);
  }
}

/** Lets other statements run between two pieces. Throws if one of them has dropped the index. */
function pause({ running }: Connection, index: IndexDefinition): void {
  running.checkNow();
  requireIndex(index);
}

/** Returns the key and the row id of an index entry by its position among those that match the clause. */
function nthKey(
  connection: Connection,
  { table }: IndexDefinition,
  { where, values }: Clause,
  position: number,
): [Uint8Array, number] | undefined {
  const sql = `SELECT key, rid FROM ${table} ${where} ORDER BY key, rid LIMIT 1 OFFSET ?`;
  return connection.get<[Uint8Array, number]>(sql, ...values, position);
}

/** Returns the keys that several documents share. Each piece begins with the last entry of the previous piece. */
export function duplicateKeys(connection: Connection, index: IndexDefinition): readonly Uint8Array[] {
  const { table } = index;
  const found: Uint8Array[] = [];
  let clause: Clause = { where: '', values: [] };
  for (;;) {
    const { where, values } = clause;
    const piece = `SELECT key FROM ${table} ${where} ORDER BY key, rid LIMIT ${ROWS_AT_ONCE}`;
    const sql = `SELECT key FROM (${piece}) GROUP BY key HAVING count(*) > 1`;
    for (const [key] of connection.all<[Uint8Array]>(sql, ...values)) {
      if (Buffer.compare(key, found.at(-1) ?? NO_KEY) === 0) continue;
      keep(key.length + KEY_OVERHEAD, 'The keys that are not unique');
      found.push(key);
    }
    pause(connection, index);
    const last = nthKey(connection, index, clause, ROWS_AT_ONCE - 1);
    if (last === undefined) return found;
    clause = { where: 'WHERE (key, rid) >= (?, ?)', values: last };
  }
}

/** No key is empty. */
const NO_KEY = new Uint8Array();
/** Estimated memory of a key, in addition to its bytes. */
const KEY_OVERHEAD = 100;

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
  examined.path ??= { kind: 'index', index, ranges, reverse: false, scan: 'COUNT_SCAN' };
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
  const { running } = connection;
  return freeing(running, () => {
    const seen = new RowSet((bytes) => running.hold(bytes, 'count'));
    for (const range of ranges) {
      if (seen.size >= most) break;
      running.check();
      requireIndex(index);
      addRows(connection, index, range, seen, most);
    }
    return Math.min(seen.size, most);
  });
}

function addRows(
  connection: Connection,
  index: IndexDefinition,
  range: KeyRange,
  seen: RowSet,
  most: number,
): void {
  for (let clause = clauseOf(range); ; ) {
    const { where, values } = clause;
    const row = connection.get<readonly [number, string | null, Uint8Array | null]>(
      `SELECT count(*), group_concat(rid), max(key)
        FROM (SELECT key, rid FROM ${index.table} ${where} ORDER BY key, rid LIMIT ?)`,
      ...values,
      ROWS_AT_ONCE,
    );
    const [rows = 0, ids = null, key = null] = row ?? [];
    const last = ids === null ? 0 : seen.addAll(ids);
    if (rows < ROWS_AT_ONCE || key === null || seen.size >= most) return;
    pause(connection, index);
    clause = clauseAfter(range, [key, last]);
  }
}

/** Returns the SQL condition for the keys of a range that follow a key and row. */
function clauseAfter({ high }: KeyRange, offset: readonly SqlValue[]): Clause {
  const end = high === undefined ? [] : [high];
  const where = `WHERE (key, rid) > (?, ?)${high === undefined ? '' : ' AND key < ?'}`;
  return { where, values: [...offset, ...end] };
}

/** Counts the distinct keys among the first `most` of each range. */
export function countDistinct(
  connection: Connection,
  index: IndexDefinition,
  ranges: readonly KeyRange[],
  most: number,
): number {
  const { table } = index;
  let count = 0;
  for (const range of ranges) {
    connection.running.check();
    requireIndex(index);
    const { where, values } = clauseOf(range);
    const sql = `SELECT count(DISTINCT key) FROM (SELECT key FROM ${table} ${where} LIMIT ?)`;
    count += connection.get<[number]>(sql, ...values, most)?.[0] ?? 0;
  }
  return count;
}

interface Clause {
  readonly where: string;
  readonly values: readonly SqlValue[];
}

function clauseOf({ low, high }: KeyRange): Clause {
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
