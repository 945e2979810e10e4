import { type Kysely, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { ReadTx, Tx } from './store.ts';

/**
 * Sizes of lists, kept in the transaction that changes the list, so that `totalCount` never counts rows. A scope is
 * what owns the list (`org:<id>`, `group:<id>`), a kind what is counted (`cluster`).
 */
interface CounterTables {
  counter: { scope: string; kind: string; shard: number; count: number };
}

/**
 * Where transactions run side by side, one row per counter would make every two writes of an organization collide;
 * a count is spread over this many rows instead, and read as their sum.
 */
const SHARDS = 16;

const add = prepared((db: Kysely<CounterTables>, row: CounterTables['counter']) =>
  db
    .insertInto('counter')
    .values({ scope: row.scope, kind: row.kind, shard: row.shard, count: row.count })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'kind', 'shard'])
        .doUpdateSet({ count: sql<number>`counter.count + excluded.count` }),
    ),
);

const sum = prepared((db: Kysely<CounterTables>, of: { scope: string; kind: string }) =>
  db
    .selectFrom('counter')
    .select((of) => of.fn.sum<number | null>('count').as('count'))
    .where('scope', '=', of.scope)
    .where('kind', '=', of.kind),
);

export async function addCount(tx: Tx, scope: string, kind: string, delta: number): Promise<void> {
  // The last digit of an id comes from a counter: it spreads evenly.
  const shard = tx.capabilities.shared ? Number.parseInt(tx.id().slice(-1), 16) % SHARDS : 0;
  await add.run(tx, { scope, kind, shard, count: delta });
}

export async function countOf(tx: ReadTx, scope: string, kind: string): Promise<number> {
  const row = await sum.first(tx, { scope, kind });
  return row?.count ?? 0;
}

/** Counts of several scopes at once; every scope asked for is in the answer. */
export async function countsOf(
  tx: ReadTx,
  scopes: readonly string[],
  kind: string,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(scopes.map((scope) => [scope, 0]));
  if (scopes.length === 0) return counts;
  const rows = await tx
    .from<CounterTables>()
    .selectFrom('counter')
    .select((of) => ['scope', of.fn.sum<number>('count').as('count')])
    .where('scope', 'in', scopes)
    .where('kind', '=', kind)
    .groupBy('scope')
    .execute();
  for (const row of rows) counts.set(row.scope, row.count);
  return counts;
}

/** Forgets every count of a scope that is gone. */
export async function dropCounts(tx: Tx, scope: string): Promise<void> {
  await tx.from<CounterTables>().deleteFrom('counter').where('scope', '=', scope).execute();
}
