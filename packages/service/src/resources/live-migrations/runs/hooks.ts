import { subscribe } from '../../../store/index.ts';
import { clusterChanging } from '../../clusters/index.ts';
import { migrationFaults } from '../rules.ts';
import { end } from './changes.ts';
import { openMigrationOf } from './rows.ts';

/** Nobody changes a cluster that is being filled, or restores into it. Its end is that of the migration too. */
export const guardDestination = subscribe(clusterChanging, async (tx, { kind, cluster }) => {
  if (kind === 'create' || kind === 'failover') return;
  const row = await openMigrationOf(tx, cluster.id);
  if (row === undefined) return;
  if (kind === 'update') throw migrationFaults.CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT(cluster.name);
  if (kind === 'occupied')
    throw migrationFaults.CANNOT_PERFORM_RESTORE_ON_CLUSTER_WITH_RUNNING_LIVE_IMPORT(cluster.name);
  await end(tx, row, 'FAILED', 'the cluster is being deleted');
});
