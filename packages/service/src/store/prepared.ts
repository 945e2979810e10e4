import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { ReadTx } from './store.ts';

/** A query that is built and compiled once, for hot paths. */
export interface Prepared<Values, Row> {
  all(tx: ReadTx, values: Values): Promise<Row[]>;
  first(tx: ReadTx, values: Values): Promise<Row | undefined>;
  /** Returns the number of rows that an INSERT, UPDATE or DELETE without RETURNING changed. */
  run(tx: ReadTx, values: Values): Promise<number>;
}

/**
 * `build` is called once per database. Its second argument has placeholders for the values: each may be used
 * wherever the query builder accepts a parameter, but not in computations.
 *
 * const byName = prepared((db: Kysely<Tables>, of: { groupId: string; name: string }) =>
 * db.selectFrom('cluster').selectAll().where('group_id', '=', of.groupId).where('name', '=', of.name)); const
 * row = await byName.first(tx, { groupId, name });
 */
export function prepared<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): Prepared<Values, Row> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  function execute(tx: ReadTx, values: Values) {
    const db = tx.from<Tables>();
    // Connections of one database share only the adapter, so it serves as the key.
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

/** A placeholder in a compiled query. */
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
  const byName = values as PlainObject;
  return parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return parameter;
    const value = byName[parameter.name];
    // SQLite would bind it as NULL.
    if (value === undefined) throw new TypeError(`The prepared query has no value ${parameter.name}`);
    return value;
  });
}
