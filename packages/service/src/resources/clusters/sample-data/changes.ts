import { faults } from '@portolan/foundation/faults';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordOn } from '../lifecycle/events.ts';
import { type ClusterWork, enqueueWork } from '../lifecycle/work.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { updateCluster } from '../rows.ts';
import { insertLoad, type LoadRow } from './rows.ts';

export const sampleFaults = faults({
  SAMPLE_DATASET_LOAD_NOT_FOUND: [404, 'The project {1} has no sample data load with the id {0}.'],
});

export const LOAD = { kind: 'cluster.loadSampleData' };

export interface LoadWork extends ClusterWork {
  readonly loadId: string;
}

/** Enqueues a load of the sample data. Throws if the cluster is paused or being deleted. */
export async function requestLoad(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<LoadRow> {
  assertCan(cluster, 'sampleData');
  const { groupId, name, paused, state } = cluster;
  if (state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(name);
  if (paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(name);
  const row: LoadRow = {
    id: tx.id(),
    groupId,
    clusterName: name,
    state: 'WORKING',
    created: tx.now,
    completed: undefined,
    message: undefined,
  };
  await insertLoad(tx, row);
  await updateCluster(tx, { ...cluster, spec: { ...cluster.spec, sampleLoad: row.id } });
  await recordOn(tx, cluster, 'SAMPLE_DATASET_LOAD_REQUESTED', actor);
  await enqueueWork<LoadWork>(tx, LOAD, cluster, { loadId: row.id });
  return row;
}
