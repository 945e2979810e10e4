import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { admitWork } from '../lifecycle/admission.ts';
import { recordOn } from '../lifecycle/events.ts';
import { type ClusterWork, enqueueWork } from '../lifecycle/work.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { updateCluster } from '../rows.ts';
import { insertLoad, type LoadRow } from './rows.ts';

export const LOAD = { kind: 'cluster.loadSampleData' };

export interface LoadWork extends ClusterWork {
  readonly loadId: string;
  /** Whether the data have the vendor's names and shapes. */
  readonly isVendorData?: boolean;
}

/** Enqueues a load of the sample data. Throws if the cluster does not allow it at the moment. */
export async function requestLoad(
  tx: Tx,
  cluster: ClusterModel,
  { actor, isVendorData }: { readonly actor: Actor; readonly isVendorData: boolean },
): Promise<LoadRow> {
  assertCan(cluster, 'sampleData');
  await admitWork(tx, cluster);
  const { groupId, name } = cluster;
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
  await enqueueWork<LoadWork>(tx, LOAD, cluster, { loadId: row.id, isVendorData });
  return row;
}
