import { type Kysely, sql } from 'kysely';
import { prepared, preparedInsert } from './prepared.ts';
import type { ScopeKind } from './scope.ts';
import type { ReadTx, Tx } from './store.ts';

/**
 * Sizes of lists. The transaction that changes a list also updates its counter, so that no `totalCount` requires
 * counting rows. The column `scope` names the owner of the list (`org:<id>`, `group:<id>`). The column `kind` says what
 * is counted (`clusters`).
 */
interface CounterTables {
  counter: { scope: string; kind: string; shard: number; count: number };
}

declare const declared: unique symbol;

/** What can own a counter. */
export type CounterScope = ScopeKind | 'cluster';

/** A kind of thing that is counted for each organization, project or cluster. */
export interface Counter {
  readonly scope: CounterScope;
  readonly kind: string;
  /** Keeps other code from creating such objects: only `counter` does, so each kind is named in one place. */
  readonly [declared]: true;
}

/** Declares a counter. Declare it next to the code that maintains the list. */
export function counter(scope: CounterScope, kind: string): Counter {
  return { scope, kind } as Counter;
}

/**
 * Number of rows of one counter if several instances share the database; otherwise, a counter has one row.
 * The count is the sum of these rows. With a single row, concurrent writes in an organization would always
 * conflict.
 */
const SHARDS = 16;

const add = preparedInsert((db: Kysely<CounterTables>, rows: readonly CounterTables['counter'][]) =>
  db
    .insertInto('counter')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'kind', 'shard'])
        .doUpdateSet({ count: sql<number>`counter.count + excluded.count` }),
    )
    .returning(['kind', 'shard', 'count']),
);

const shards = prepared((db: Kysely<CounterTables>, of: { scope: string; kind: string }) =>
  db
    .selectFrom('counter')
    .select(['shard', 'count'])
    .where('scope', '=', of.scope)
    .where('kind', '=', of.kind),
);

const sum = prepared((db: Kysely<CounterTables>, of: { scope: string; kind: string }) =>
  db
    .selectFrom('counter')
    .select((of) => of.fn.sum<number | null>('count').as('count'))
    .where('scope', '=', of.scope)
    .where('kind', '=', of.kind),
);

/** Changes the count of the organization, project or cluster `id`. */
export async function addCount(tx: Tx, of: Counter, id: string, delta: number): Promise<void> {
  await addCounts(tx, [{ of, id, delta }]);
}

interface CountChange {
  readonly of: Counter;
  readonly id: string;
  readonly delta: number;
}

/** The count of one row of a counter. */
export interface ShardCount {
  readonly shard: number;
  readonly count: number;
}

/** Changes several different counts with one statement. Returns the rows that it has changed. */
export async function addCounts(
  tx: Tx,
  changes: readonly CountChange[],
): Promise<ReadonlyArray<ShardCount & { readonly kind: string }>> {
  // The last digit of an id comes from a sequence, so the digits are evenly distributed.
  const shard = tx.capabilities.shared ? Number.parseInt(tx.id().slice(-1), 16) % SHARDS : 0;
  return add(
    tx,
    changes.map(({ of, id, delta }) => ({
      scope: ownerOf(of.scope, id),
      kind: of.kind,
      shard,
      count: delta,
    })),
  );
}

/**
 * Returns the rows of a counter. If a counter never decreases, its counts can serve as numbers of the changes that it
 * counts. Transactions that change the same row wait for each other, so the numbers of a row become visible in their
 * order, without gaps.
 */
export function shardsOf(tx: ReadTx, of: Counter, id: string): Promise<ShardCount[]> {
  return shards.all(tx, { scope: ownerOf(of.scope, id), kind: of.kind });
}

export async function countOf(tx: ReadTx, of: Counter, id: string): Promise<number> {
  const row = await sum.first(tx, { scope: ownerOf(of.scope, id), kind: of.kind });
  return row?.count ?? 0;
}

/**
 * Returns counts of several organizations, projects or clusters, by id and by the names in `counters`. A count without
 * rows is 0. All counters must have the same kind of owner.
 */
export async function countsOf<Names extends string>(
  tx: ReadTx,
  counters: Readonly<Record<Names, Counter>>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<Names, number>>>> {
  const named = Object.entries<Counter>(counters);
  const none = () => Object.fromEntries(named.map(([name]) => [name, 0])) as Record<Names, number>;
  const counts = new Map(ids.map((id) => [id, none()]));
  const [first] = named;
  if (ids.length === 0 || first === undefined) return counts;
  const owners = new Map(ids.map((id) => [ownerOf(first[1].scope, id), id]));
  const names = new Map(named.map(([name, { kind }]) => [kind, name as Names]));
  const rows = await tx
    .from<CounterTables>()
    .selectFrom('counter')
    .select((of) => ['scope', 'kind', of.fn.sum<number>('count').as('count')])
    .where('scope', 'in', [...owners.keys()])
    .where('kind', 'in', [...names.keys()])
    .groupBy(['scope', 'kind'])
    .execute();
  for (const { scope, kind, count } of rows) {
    const [own, name] = [counts.get(owners.get(scope) ?? ''), names.get(kind)];
    if (own !== undefined && name !== undefined) own[name] = count;
  }
  return counts;
}

/** Deletes the counts of a deleted organization, project or cluster. */
export async function dropCounts(
  tx: Tx,
  gone: { readonly kind: CounterScope; readonly id: string },
): Promise<void> {
  const owner = ownerOf(gone.kind, gone.id);
  await tx.from<CounterTables>().deleteFrom('counter').where('scope', '=', owner).execute();
}

function ownerOf(scope: CounterScope, id: string): string {
  return `${scope}:${id}`;
}
