import { ownDatabases } from '@portolan/engine/interface/namespaces';
import { badValue } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { assertCan, type ClusterModel, isRegion, requireDedicatedCluster } from '../clusters/index.ts';
import { archiveFaults } from './faults.ts';
import { type ArchiveRow, archiveById, archivesOf } from './rows.ts';
import type { Criteria, NewArchive, Partition } from './schema.ts';
import { isPaused } from './states.ts';

/** The largest number of archives of a cluster. */
const MAX_ARCHIVES = 50;

interface ArchivePath {
  readonly groupId: string;
  readonly clusterName: string;
}

/**
 * Returns the cluster that a path names. Throws if it has no dedicated nodes, or if its engine does not support
 * archives.
 */
export async function requireArchiving(tx: ReadTx, at: ArchivePath): Promise<ClusterModel> {
  const cluster = await requireDedicatedCluster(tx, at);
  // An archive reads documents with the rights of a user, since only such replies preserve the types of values.
  assertCan(cluster, 'commands');
  return cluster;
}

/** Throws ONLINE_ARCHIVE_NOT_FOUND if the cluster has no such archive. */
export async function requireArchive(
  tx: ReadTx,
  at: ArchivePath & { readonly archiveId: string },
): Promise<{ readonly cluster: ClusterModel; readonly row: ArchiveRow }> {
  const cluster = await requireDedicatedCluster(tx, at);
  const row = await archiveById(tx, at.archiveId);
  if (row?.clusterId !== cluster.id)
    throw archiveFaults.ONLINE_ARCHIVE_NOT_FOUND(at.archiveId, at.clusterName);
  return { cluster, row };
}

/** Throws ONLINE_ARCHIVES_LIMIT_EXCEEDED if the cluster can have no further archive. */
export async function requireRoom(tx: ReadTx, { id, name }: ClusterModel): Promise<void> {
  if ((await archivesOf(tx, id)).length >= MAX_ARCHIVES)
    throw archiveFaults.ONLINE_ARCHIVES_LIMIT_EXCEEDED(name, MAX_ARCHIVES);
}

/** Throws ACTIVE_ONLINE_ARCHIVE_EXISTS if another archive moves documents of the same collection. */
export async function requireOnlyActive(tx: ReadTx, row: ArchiveRow): Promise<void> {
  if (await hasActiveRival(tx, row))
    throw archiveFaults.ACTIVE_ONLINE_ARCHIVE_EXISTS(`${row.database}.${row.collection}`);
}

/** Whether another archive of the same collection is neither paused nor orphaned. */
export async function hasActiveRival(
  tx: ReadTx,
  { id, clusterId, database, collection }: ArchiveRow,
): Promise<boolean> {
  return (await archivesOf(tx, clusterId)).some(
    (other) =>
      other.id !== id &&
      other.database === database &&
      other.collection === collection &&
      !isPaused(other.state) &&
      other.state !== 'ORPHANED',
  );
}

/** Throws unless the archive is active or already paused. */
export function checkPause({ state }: Pick<ArchiveRow, 'state'>): void {
  if (state !== 'ACTIVE' && !isPaused(state))
    throw archiveFaults.ONLINE_ARCHIVE_MUST_BE_ACTIVE_TO_PAUSE(state);
}

/** Throws if documents of the collection cannot be moved. */
export function checkCollection({ dbName, collName, collectionType }: NewArchive): void {
  if (collectionType === 'TIMESERIES')
    throw badValue('collectionType', 'must be STANDARD, because time series collections cannot be archived');
  if (ownDatabases.has(dbName)) throw badValue('dbName', 'must not be an internal database');
  if (collName.startsWith('system.')) throw badValue('collName', 'must not be a system collection');
}

/** Throws if the provider does not have the region in which an archive is to be processed. */
export function checkRegion({ dataProcessRegion }: NewArchive): void {
  const { cloudProvider, region } = dataProcessRegion ?? {};
  if (cloudProvider === undefined || region === undefined || isRegion(cloudProvider, region)) return;
  throw badValue('dataProcessRegion.region', `must be a region of ${cloudProvider}`);
}

/** Throws unless the positions of the fields are 0, 1 and so on, and the fields contain the date of the criteria. */
export function checkPartitions(partitions: readonly Partition[], { type, dateField }: Criteria): void {
  const orders = partitions.map(({ order }) => order).sort();
  if (orders.some((order, index) => order !== index))
    throw badValue('partitionFields', 'must have the positions 0, 1 and so on');
  if (type === 'DATE' && !partitions.some(({ fieldName }) => fieldName === dateField))
    throw badValue('partitionFields', 'must contain criteria.dateField');
}
