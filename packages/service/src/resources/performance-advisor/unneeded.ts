import type { Engine } from '@portolan/engine/interface/calls';
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

/** Returns the indexes that can be dropped, grouped by the reason. */
export function unneededIndexes(uses: readonly IndexUse[], now: Date) {
  const hidden = uses.filter(({ spec }) => spec.hidden === true);
  const visible = uses.filter((use) => !hidden.includes(use));
  const redundant = visible.filter((use) => visible.some((other) => makesRedundant(other, use)));
  const unused = visible.filter((use) => !redundant.includes(use) && isUnused(use, now));
  return {
    hiddenIndexes: hidden.map(present),
    redundantIndexes: redundant.map(present),
    unusedIndexes: unused.map(present),
  };
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
  if (longer.namespace !== use.namespace || hasOtherPurpose(use)) return false;
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
