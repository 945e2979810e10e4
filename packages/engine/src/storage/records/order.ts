import type { Endpoint, Interval } from '../../language/filter/bounds.ts';
import type { SqlValue } from '../file/database.ts';
import { idKey } from './id-key.ts';
import type { StoredRecord } from './page.ts';

/** An order in which a table is read: the column and its bounds. */
export interface Order {
  readonly column: 'rid' | 'id_key';
  readonly reverse: boolean;
  /** The bounds at which the order starts and ends. An undefined bound means that there is no limit at that end. */
  readonly start: Bound | undefined;
  readonly end: Bound | undefined;
  positionOf(record: StoredRecord): SqlValue;
}

export interface Bound {
  readonly value: SqlValue;
  readonly inclusive: boolean;
}

/** Returns the order of row ids from `low` to `high`. A missing bound means no limit at that end. */
export function naturalOrder(reverse: boolean, low?: Bound, high?: Bound): Order {
  const [start, end] = reverse ? [high, low] : [low, high];
  return { column: 'rid', reverse, start, end, positionOf: (record) => record.rid };
}

export function keyOrder(interval: Interval | undefined, reverse: boolean): Order {
  const low = boundOf(interval?.low);
  const high = boundOf(interval?.high);
  const [start, end] = reverse ? [high, low] : [low, high];
  return { column: 'id_key', reverse, start, end, positionOf: ({ doc }) => idKey(doc) };
}

function boundOf(endpoint: Endpoint | undefined): Bound | undefined {
  return endpoint && { value: endpoint.key, inclusive: endpoint.inclusive };
}

/** Returns the `WHERE … ORDER BY …` clause for the rows from `from` on, and its parameters. */
export function clauseOf(order: Order, from: Bound | undefined): { sql: string; values: SqlValue[] } {
  const [behind, before] = order.reverse ? ['<', '>'] : ['>', '<'];
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const add = (operator: string, bound: Bound | undefined) => {
    if (bound === undefined) return;
    terms.push(`${order.column} ${operator}${bound.inclusive ? '=' : ''} ?`);
    values.push(bound.value);
  };
  add(behind, from);
  add(before, order.end);
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')} `;
  return { sql: `${where}ORDER BY ${order.column}${order.reverse ? ' DESC' : ''}`, values };
}
