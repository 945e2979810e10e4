import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { ReadTx } from './store.ts';

/** A query that is built and compiled once, and then only executed with values. For queries on a hot path. */
export interface Prepared<Values, Row> {
  all(tx: ReadTx, values: Values): Promise<Row[]>;
  first(tx: ReadTx, values: Values): Promise<Row | undefined>;
  /** The number of rows that an INSERT, UPDATE or DELETE without RETURNING has changed. */
  run(tx: ReadTx, values: Values): Promise<number>;
}

/**
 * `build` is called once per database. Its second argument stands for the values: each of its properties may be used
 * wherever the query builder takes one value as a parameter, and nothing may be computed from it.
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
    // The adapter is the one object that a database's connections share.
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (query === undefined) {
      query = build(db, slots<Values>()).compile();
      compiled.set(adapter, query);
    }
    return db.executeQuery<Row>({ ...query, parameters: fill(query.parameters, values) });
  }

  return {
    all: async (tx, values) => (await execute(tx, values)).rows,
    first: async (tx, values) => (await execute(tx, values)).rows[0],
    run: async (tx, values) => Number((await execute(tx, values)).numAffectedRows ?? 0n),
  };
}

/** The place of a value in a compiled query. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function slots<Values extends object>(): Values {
  const target: Partial<Values> = {};
  return new Proxy(target, { get: (_, name) => new Slot(String(name)) }) as Values;
}

function fill(parameters: readonly unknown[], values: object): unknown[] {
  const byName = values as Readonly<Record<string, unknown>>;
  return parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return parameter;
    const value = byName[parameter.name];
    // One database would take it for NULL.
    if (value === undefined) throw new TypeError(`A prepared query lacks its value ${parameter.name}`);
    return value;
  });
}
