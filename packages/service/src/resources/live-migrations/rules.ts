import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import type { ReadTx } from '../../store/index.ts';
import {
  assertCan,
  type ClusterModel,
  clusterFaults,
  requireCluster,
  requireDedicated,
} from '../clusters/index.ts';
import { migrationFaults } from './faults.ts';
import { openMigrationOf } from './runs/rows.ts';

export const migrationEvents = {
  CLUSTER_IMPORT_STARTED: 'Live migration to a cluster started',
  CLUSTER_IMPORT_CUTOVER: 'Cutover of a live migration was requested',
  CLUSTER_IMPORT_COMPLETED: 'Live migration to a cluster was completed',
  CLUSTER_IMPORT_CANCELLED: 'Live migration to a cluster failed or was cancelled',
  CLUSTER_IMPORT_EXPIRED: 'Live migration to a cluster expired before its cutover',
  CLUSTER_IMPORT_RESTART_REQUESTED: 'Live migration to a cluster was restarted',
} as const satisfies EventTypes;

/** Returns the destination cluster. Throws if it cannot be the destination of a migration. */
export async function requireDestination(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  const cluster = await requireCluster(tx, at);
  requireDedicated(cluster);
  assertCan(cluster, 'liveMigrations');
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
  if (cluster.spec.settings.biConnector?.enabled)
    throw badValue('destination.clusterName', 'names a cluster with a BI connector');
  return cluster;
}

/**
 * Like `requireDestination`, for a migration that starts now. Throws if the cluster is being changed, or is
 * the destination of another migration.
 */
export async function requireFreeDestination(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  const cluster = await requireDestination(tx, at);
  if ((await openMigrationOf(tx, cluster.id)) !== undefined)
    throw migrationFaults.CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT(cluster.name);
  if (cluster.state !== 'IDLE') throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(cluster.name, cluster.state);
  return cluster;
}

/**
 * Returns the row that a path names. Throws RESOURCE_NOT_FOUND if the row does not exist or belongs to another project.
 */
export function requireIn<Row extends { readonly groupId: string }>(
  row: Row | undefined,
  groupId: string,
  what: string,
): Row {
  if (row?.groupId !== groupId) throw generalFaults.RESOURCE_NOT_FOUND(what);
  return row;
}
