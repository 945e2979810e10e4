import { system } from '../../../events/index.ts';
import { subscribe } from '../../../store/index.ts';
import { clusterChanging, hasTrait } from '../../clusters/index.ts';
import { migrationChecked } from '../checks/topics.ts';
import { migrationFaults } from '../faults.ts';
import { linkDeleted } from '../links/topics.ts';
import { continueAfterCheck, end } from './changes.ts';
import { openMigrationOf, openMigrationsIn } from './rows.ts';

/**
 * Rejects changes of a destination that callers request, and restores of snapshots to it. The service itself may change
 * the destination. Removing the destination ends the migration. If its servers remain, it cannot be removed before,
 * because the user of the migration would remain on them.
 */
export const guardDestination = subscribe(clusterChanging, async (tx, change) => {
  const { kind, cluster } = change;
  if (kind === 'create' || kind === 'failover') return;
  if (kind === 'update' && change.actor === system) return;
  const row = await openMigrationOf(tx, cluster.id);
  if (row === undefined) return;
  if (kind === 'update' || (kind === 'remove' && hasTrait(cluster, 'lastingServers')))
    throw migrationFaults.CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT(cluster.name);
  if (kind === 'restore')
    throw migrationFaults.CANNOT_PERFORM_RESTORE_ON_CLUSTER_WITH_RUNNING_LIVE_IMPORT(cluster.name);
  await end(tx, row, 'FAILED', 'the cluster is being deleted');
});

export const followCheck = subscribe(migrationChecked, (tx, { migrationId, problem }) =>
  continueAfterCheck(tx, migrationId, problem),
);

/** Ends the migrations of a deleted link, since their source can no longer be read. */
export const followUnlinking = subscribe(linkDeleted, async (tx, { orgId }) => {
  for (const row of await openMigrationsIn(tx, orgId))
    await end(tx, row, 'FAILED', 'the link token was deleted');
});
