import type { Actor } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { type ClusterModel, requireSearched } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { changeIndex, createIndex, type NewIndex, recordCreatedByDriver, removeIndex } from './changes.ts';
import { ifReachable, indexesOfCollection } from './engine-indexes.ts';
import { searchFaults } from './faults.ts';
import { type KnownIndex, rowOf } from './find.ts';
import type { Definition } from './rows.ts';

/** The part of a call that the operations of the current and of the legacy shape need. */
interface ChangeCall {
  readonly services: Services;
  readonly params: { readonly groupId: string; readonly clusterName: string };
  readonly actor: Actor;
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Creates an index at the request of a caller. `at` is the path of the definition in the body. */
export async function createRequested(call: ChangeCall, index: NewIndex, at: string): Promise<KnownIndex> {
  const cluster = await call.write((tx) => requireSearched(tx, call.params));
  const { database, collection } = index;
  // Query the cluster, since drivers may have created indexes that have no row yet.
  const there = await ifReachable(cluster, () =>
    indexesOfCollection(call.services, cluster, database, collection),
  );
  const names = there?.map(({ name }) => name) ?? [];
  return call.write(async (tx) => {
    const now = await requireSearched(tx, call.params);
    const row = await createIndex(tx, now, index, { actor: call.actor, at, existing: names });
    return { cluster: now, row, found: undefined };
  });
}

export async function changeRequested(
  call: ChangeCall,
  known: KnownIndex,
  definition: Definition,
  at = 'definition',
): Promise<KnownIndex> {
  const row = await withRow(call, known, async (tx, cluster, current) =>
    changeIndex(tx, cluster, current, definition, { actor: call.actor, at }),
  );
  return { ...known, row };
}

export async function removeRequested(call: ChangeCall, known: KnownIndex): Promise<void> {
  await withRow(call, known, (tx, cluster, row) => removeIndex(tx, cluster, row, call.actor));
}

function withRow<T>(
  call: ChangeCall,
  known: KnownIndex,
  work: (tx: Tx, cluster: ClusterModel, row: ReturnType<typeof rowOf>) => Promise<T>,
): Promise<T> {
  return call.write(async (tx) => {
    const cluster = await requireSearched(tx, call.params);
    const row = rowOf(known);
    const adopted = await recordCreatedByDriver(tx, cluster, row);
    if (adopted === undefined)
      throw searchFaults.PLATFORM_FTS_DUPLICATE_INDEX(row.name, `${row.database}.${row.collection}`);
    return work(tx, cluster, adopted);
  });
}
