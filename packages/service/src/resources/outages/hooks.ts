import { isDeepStrictEqual } from 'node:util';
import { subscribe } from '../../store/index.ts';
import { clusterChanging, clusterRemoved, isForced } from '../clusters/index.ts';
import { abandon } from './changes.ts';
import { outageFaults } from './faults.ts';
import { deleteOutage, outageOf } from './rows.ts';
import { membersIn } from './rules.ts';

/**
 * Ends a simulation when its cluster is paused. Also ends it when an update moves nodes of the affected regions. If a
 * replica set has no majority, only a forced update ends the simulation in this way. Other updates wait for the end of
 * the simulation. Rejects the removal of the cluster.
 */
export const followChanges = subscribe(clusterChanging, async (tx, change) => {
  if (change.kind === 'create') return;
  const { cluster } = change;
  const row = await outageOf(tx, cluster.id);
  if (row === undefined || row.state === 'COMPLETE') return;
  if (change.kind === 'remove') {
    throw outageFaults.CANNOT_TERMINATE_CLUSTER_WITH_UNDERGOING_REGIONAL_OUTAGE_SIMULATION(cluster.name);
  }
  if (change.kind !== 'update') return;
  if (cluster.paused) {
    await abandon(tx, row, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_CANCELLED_CLUSTER_PAUSE');
  } else if (!isDeepStrictEqual(membersIn(cluster, row.regions), row.cut)) {
    if (!row.majorityLost || isForced(cluster, tx.now)) await abandon(tx, row);
  }
});

export const followRemoval = subscribe(clusterRemoved, async (tx, { cluster }) => {
  const row = await outageOf(tx, cluster.id);
  if (row) await deleteOutage(tx, row.id);
});
