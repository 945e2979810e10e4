import type Type from 'typebox';
import type { Tx } from '../../store/index.ts';
import { admitWork, type ClusterModel, type ClusterWork, enqueueWork } from '../clusters/index.ts';
import { deleteMappings, deleteNamespace, insertNamespace, saveMappings } from './rows.ts';
import { checkMappings, checkNamespace, readMappings, requireNamespace } from './rules.ts';
import type { ManagedNamespace, NamespaceQuery, ZoneMappings } from './schema.ts';

export const PLACE = { kind: 'globalWrites.place' };

export interface PlaceWork extends ClusterWork {
  /** A collection that is no longer managed. */
  readonly removed?: ManagedNamespace;
}

export async function addMappings(tx: Tx, cluster: ClusterModel, body: ZoneMappings): Promise<void> {
  const mappings = readMappings(cluster, body);
  await checkMappings(tx, cluster, mappings);
  await admitWork(tx, cluster);
  await saveMappings(tx, cluster.id, mappings);
  await requestPlacement(tx, cluster);
}

export async function removeMappings(tx: Tx, cluster: ClusterModel): Promise<void> {
  await admitWork(tx, cluster);
  await deleteMappings(tx, cluster.id);
  await requestPlacement(tx, cluster);
}

export async function addNamespace(tx: Tx, cluster: ClusterModel, added: ManagedNamespace): Promise<void> {
  await checkNamespace(tx, cluster, added);
  await admitWork(tx, cluster);
  await insertNamespace(tx, cluster.id, added);
  await requestPlacement(tx, cluster);
}

/** Stops managing a collection. The collection stays sharded. */
export async function removeNamespace(
  tx: Tx,
  cluster: ClusterModel,
  named: Type.Static<typeof NamespaceQuery>,
): Promise<void> {
  const removed = await requireNamespace(tx, cluster, named);
  await admitWork(tx, cluster);
  await deleteNamespace(tx, cluster.id, named);
  await requestPlacement(tx, cluster, removed);
}

/** Enqueues the task that shards the managed collections and assigns their ranges to zones. */
export async function requestPlacement(
  tx: Tx,
  cluster: ClusterModel,
  removed?: ManagedNamespace,
): Promise<void> {
  await enqueueWork<PlaceWork>(tx, PLACE, cluster, removed === undefined ? {} : { removed });
}
