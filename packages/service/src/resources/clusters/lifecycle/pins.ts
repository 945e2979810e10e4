import { generalFaults } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { shownCompatibility } from '../model/servers.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { APPLY, changeCluster } from './changes.ts';
import { EXPIRE_PIN, type PinExpiry, schedulePinExpiry } from './dated-work.ts';
import { pinFaults } from './faults.ts';
import { clusterUnpinned } from './hooks.ts';
import { enqueueWork } from './work.ts';

/**
 * This file pins the feature compatibility version of clusters. While a cluster is pinned, a downgrade stays
 * possible.
 */

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_PIN_WEEKS = 4;

/** Pins the feature compatibility version until `until` or, by default, for the maximum duration. */
export async function pinVersion(
  tx: Tx,
  cluster: ClusterModel,
  until: Date | string | undefined,
  actor: Actor,
): Promise<void> {
  if (cluster.spec.tenant) throw pinFaults.CANNOT_PIN_FCV_TENANT();
  if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
  const latest = new Date(tx.now.getTime() + MAX_PIN_WEEKS * WEEK_MS);
  const expires = new Date(until ?? latest);
  if (expires <= tx.now) throw generalFaults.EXPIRATION_DATE_IN_PAST().at('expirationDate');
  if (expires > latest)
    throw generalFaults.EXPIRATION_DATE_EXCEEDS_MAX(MAX_PIN_WEEKS * 7).at('expirationDate');
  const version = shownCompatibility(cluster);
  const spec = { ...cluster.spec, pinned: { version, expires: expires.toISOString() } };
  await changeCluster(tx, cluster, { spec }, actor);
  await schedulePinExpiry(tx, cluster, expires);
}

export async function unpinVersion(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
  const { pinned, ...spec } = cluster.spec;
  if (pinned === undefined) throw pinFaults.FCV_NOT_PINNED(cluster.name);
  await changeCluster(tx, cluster, { spec }, actor);
}

/** Ends a pin at its end date, unless it was removed or extended before. */
export const expirePin: TaskKind<PinExpiry, Services> = {
  ...EXPIRE_PIN,
  steps: [
    {
      name: 'unpin',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster?.spec.pinned?.expires !== payload.expires || cluster.state === 'DELETING') return;
        const { pinned: _, ...spec } = cluster.spec;
        const unpinned = { ...cluster, spec };
        await updateCluster(tx, unpinned);
        // Some engines configure their servers differently while a version is pinned, so apply the row again.
        await enqueueWork(tx, APPLY, unpinned, {});
        await tx.publish(clusterUnpinned, { cluster: unpinned });
      },
    },
  ],
};
