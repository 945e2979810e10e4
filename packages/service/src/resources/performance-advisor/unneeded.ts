import type { Engine } from '@portolan/engine/interface/calls';
import { Turns } from '@portolan/foundation/turns';
import { advisorFaults } from './faults.ts';

/** An index and its usage, as `$indexStats` reports it. */
interface IndexUse {
  readonly namespace: string;
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly accesses: { readonly ops: unknown; readonly since: Date };
  readonly spec: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;
/** An index counts as unused after this time without use. */
const UNUSED_MS = 7 * DAY_MS;

/** Returns the collections of a cluster that hold data of users. */
export async function userCollections(engine: Engine, clusterId: string) {
  const reply: unknown = await engine.run(clusterId, { listDatabases: 1, $db: 'admin' });
  const { databases = [] } = reply as { readonly databases?: readonly { readonly name: string }[] };
  const found: { readonly $db: string; readonly name: string }[] = [];
  for (const { name: $db } of databases.filter(({ name }) => !/^(admin|config|local)$/.test(name))) {
    const filter = { type: 'collection', name: { $not: /^system\./ } };
    const listed: unknown = await engine.run(clusterId, { listCollections: 1, $db, filter });
    found.push(...batchOf<{ readonly name: string }>(listed).map(({ name }) => ({ $db, name })));
  }
  return found;
}

/** Returns all indexes of a cluster, except those on `_id`. Throws if its servers refuse to report their use. */
export async function indexUses(
  engine: Engine,
  { id, name: clusterName }: { readonly id: string; readonly name: string },
): Promise<readonly IndexUse[]> {
  const uses: IndexUse[] = [];
  for (const { $db, name } of await userCollections(engine, id)) {
    const command = { aggregate: name, $db, pipeline: [{ $indexStats: {} }], cursor: { batchSize: 1000 } };
    const reply: unknown = await engine.run(id, command);
    const { ok, code, errmsg } = reply as Refusal;
    // The collection can have been dropped since it was listed.
    if (ok === 0 && code !== NAMESPACE_NOT_FOUND)
      throw advisorFaults.INDEX_STATISTICS_REFUSED(clusterName, errmsg ?? '');
    const found = batchOf<Omit<IndexUse, 'namespace'>>(reply);
    uses.push(...found.map((use) => ({ ...use, namespace: `${$db}.${name}` })));
  }
  return uses.filter(({ name }) => name !== '_id_');
}

/** The fields of a reply that say why the servers have refused a command. */
interface Refusal {
  readonly ok?: number;
  readonly code?: number;
  readonly errmsg?: string;
}

const NAMESPACE_NOT_FOUND = 26;

function batchOf<T>(reply: unknown): readonly T[] {
  const { cursor } = reply as { readonly cursor?: { readonly firstBatch?: readonly T[] } };
  return cursor?.firstBatch ?? [];
}

/** Number of pairs of indexes that are compared in about 5 µs, the unit of `Turns`. */
const PAIRS_PER_TURN = 10;

/**
 * Returns the indexes that can be dropped, grouped by the reason. Compares only indexes of the same collection, and
 * pauses for other requests, because a cluster can have tens of thousands of indexes.
 */
export async function unneededIndexes(uses: readonly IndexUse[], now: Date) {
  const turns = new Turns();
  const [hidden, redundant, unused]: [Presented[], Presented[], Presented[]] = [[], [], []];
  for (const own of Map.groupBy(uses, ({ namespace }) => namespace).values()) {
    await turns.take(1 + own.length ** 2 / PAIRS_PER_TURN);
    const visible = own.filter(({ spec }) => spec.hidden !== true);
    for (const use of own) {
      if (use.spec.hidden === true) hidden.push(present(use));
      else if (visible.some((other) => makesRedundant(other, use))) redundant.push(present(use));
      else if (isUnused(use, now)) unused.push(present(use));
    }
  }
  return { hiddenIndexes: hidden, redundantIndexes: redundant, unusedIndexes: unused };
}

/** Whether an index has a purpose even if no query uses it: it is unique, or deletes expired documents. */
const hasOtherPurpose = ({ spec }: IndexUse) => spec.unique === true || spec.expireAfterSeconds !== undefined;

function isUnused(use: IndexUse, now: Date): boolean {
  const { ops, since } = use.accesses;
  return Number(ops) === 0 && now.getTime() - since.getTime() >= UNUSED_MS && !hasOtherPurpose(use);
}

/** An index with one of these options cannot replace another index. */
const special = ['partialFilterExpression', 'sparse', 'collation'];

/** Whether an index is redundant: its keys are a prefix of the keys of a longer index without special options. */
function makesRedundant(longer: IndexUse, use: IndexUse): boolean {
  if (hasOtherPurpose(use)) return false;
  if ([longer, use].some(({ spec }) => special.some((option) => spec[option] !== undefined))) return false;
  const [keys, more] = [Object.entries(use.key), Object.entries(longer.key)];
  if (more.length <= keys.length) return false;
  return keys.every(
    ([field, direction], at) => more[at]?.[0] === field && Number(more[at][1]) === Number(direction),
  );
}

const present = ({ accesses, key, name, namespace }: IndexUse) => ({
  accessCount: Number(accesses.ops),
  index: Object.entries(key).map(([field, kind]) => ({
    [field]: typeof kind === 'string' ? kind : Number(kind),
  })),
  name,
  namespace,
  since: accesses.since,
});

type Presented = ReturnType<typeof present>;
