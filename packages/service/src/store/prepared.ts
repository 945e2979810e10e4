import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { ReadTx } from './store.ts';

/** A query that is built and compiled only once, which makes frequent queries faster. */
export interface Prepared<Values, Row> {
  all(tx: ReadTx, values: Values): Promise<Row[]>;
  first(tx: ReadTx, values: Values): Promise<Row | undefined>;
  /** Returns the number of rows that an INSERT, UPDATE or DELETE without RETURNING changed. */
  run(tx: ReadTx, values: Values): Promise<number>;
}

/**
 * Prepares a query. `build` is called once per database. Its second argument contains a placeholder for each value. A
 * placeholder may be used wherever the query builder accepts a parameter, but not in computations. Example:
 *
 *     const byName = prepared((db: Kysely<Tables>, of: { groupId: string; name: string }) =>
 *       db.selectFrom('cluster').selectAll().where('group_id', '=', of.groupId).where('name', '=', of.name));
 *     const row = await byName.first(tx, { groupId, name });
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): Prepared<Values, Row> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  function execute(tx: ReadTx, values: Values) {
    const db = tx.from<Tables>();
    const make = () => build(db, slots<Values>()).compile();
    return executeFilled(db, compiledFor(compiled, db, make), [values]);
  }

  return {
    all: async (tx, values) => (await execute(tx, values)).rows,
    first: async (tx, values) => (await execute(tx, values)).rows[0],
    run: async (tx, values) => Number((await execute(tx, values)).numAffectedRows ?? 0n),
  };
}

/** Maximum number of rows of an INSERT that is compiled once. A larger INSERT is compiled for each call. */
const MAX_ROWS = 16;

/**
 * Returns a function that inserts several rows with one INSERT, and returns the rows of its RETURNING clause. The
 * INSERT is compiled once per database and number of rows. All rows must have the same columns. An empty list inserts
 * nothing.
 */
export function preparedInsert<Tables, Row extends object, Returned>(
  build: (db: Kysely<Tables>, rows: readonly Row[]) => Compilable<Returned>,
): (tx: ReadTx, rows: readonly Row[]) => Promise<Returned[]> {
  const byCount = Array.from({ length: MAX_ROWS }, () => new WeakMap<object, CompiledQuery<Returned>>());
  return async (tx, rows) => {
    if (rows.length === 0) return [];
    const db = tx.from<Tables>();
    const known = byCount[rows.length - 1];
    if (known === undefined) return (await db.getExecutor().executeQuery(build(db, rows).compile())).rows;
    const query = compiledFor(known, db, () => build(db, rows.map(slotsLike)).compile());
    return (await executeFilled(db, query, rows)).rows;
  };
}

/** The methods of a query builder that this file uses, for any tables. */
type Queries = Pick<Kysely<unknown>, 'getExecutor'>;

function compiledFor<Row>(
  known: WeakMap<object, CompiledQuery<Row>>,
  db: Queries,
  make: () => CompiledQuery<Row>,
): CompiledQuery<Row> {
  // All connections of a database share the adapter, so the adapter is the key.
  const { adapter } = db.getExecutor();
  let query = known.get(adapter);
  if (query === undefined) {
    query = make();
    known.set(adapter, query);
  }
  return query;
}

function executeFilled<Row>(db: Queries, query: CompiledQuery<Row>, rows: readonly object[]) {
  const { sql, query: node, queryId } = query;
  const filled = { sql, query: node, queryId, parameters: fill(query.parameters, rows) };
  return db.getExecutor().executeQuery<Row>(filled);
}

/** A placeholder for a value in a compiled query. */
class Slot {
  /** The index of the row that contains the value. */
  readonly row: number;
  readonly name: string;

  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

function slots<Values extends object>(): Values {
  const target: Partial<Values> = {};
  return new Proxy(target, { get: (_, name) => new Slot(0, String(name)) }) as Values;
}

/**
 * Replaces the values of a row by placeholders with the same names. The query builder needs a row from which it can
 * derive the columns.
 */
function slotsLike<Row extends object>(values: Row, row: number): Row {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(row, name)])) as Row;
}

function fill(parameters: readonly unknown[], rows: readonly object[]): unknown[] {
  return parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return parameter;
    const value = (rows[parameter.row] as PlainObject)[parameter.name];
    // Throw an error here, because SQLite would store NULL without an error.
    if (value === undefined) throw new TypeError(`The prepared query has no value ${parameter.name}`);
    return value;
  });
}
