import type { Call } from '../../../api/operation.ts';
import { assertUnchanged } from '../../../api/read-only.ts';
import type { ReadTx } from '../../../store/index.ts';
import type { Services } from '../../services.ts';
import { asksToPause, asksToResume, isResumption } from '../lifecycle/pause.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { requireCluster } from '../require.ts';
import { checkTenantUpdate } from '../rules/updates.ts';
import { carriedBody } from '../shapes/carried.ts';
import type { Cluster } from '../shapes/contract/schema.ts';
import { changesIn, readUpdate } from '../shapes/contract/update.ts';
import { writeCluster } from '../shapes/contract/write.ts';
import { readRegionConfigsUpdate } from '../shapes/region-configs/requests.ts';
import { assertExpressible } from '../shapes/versions.ts';

/** What a body asks of the cluster that the path names: a pause, another `spec`, or nothing. */
export interface Patch {
  readonly cluster: ClusterModel;
  readonly pauses: boolean;
  readonly resumes: boolean;
  readonly spec?: ClusterSpec;
}

type PatchCall = Pick<
  Call<Services, { readonly groupId: string; readonly clusterName: string }, unknown, Cluster>,
  'body' | 'params' | 'present' | 'readOnly' | 'services' | 'version'
>;

/** Reads the body of an update in whatever shape; throws for what it cannot ask of the cluster. */
export async function readPatch(tx: ReadTx, call: PatchCall): Promise<Patch> {
  const { naming, ids } = call.services;
  const cluster = await requireCluster(tx, call.params);
  assertExpressible(cluster, call.version);
  const shown = writeCluster(cluster, naming);
  assertUnchanged(call, shown);
  const given = carriedBody(call.body);
  const body = given ? given.body : changesIn(call.body, shown);
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  // Of a pause the whole body counts: not even a field that stays as it is may stand beside it.
  if (asksToPause(given?.body ?? call.body, cluster, tx.now))
    return { cluster, pauses: true, resumes: false };
  const resumes = asksToResume(body, cluster);
  if (!resumes && isResumption(body)) return { cluster, pauses: false, resumes };
  const spec = given
    ? readRegionConfigsUpdate(given, cluster, () => ids.next())
    : readUpdate(body as Cluster, cluster, () => ids.next());
  checkTenantUpdate(cluster.spec, spec);
  return { cluster, pauses: false, resumes, spec };
}
