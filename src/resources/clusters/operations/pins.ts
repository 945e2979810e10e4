import Type from 'typebox';
import { generalFaults } from '../../../api/faults.ts';
import { DateTime, Links } from '../../../api/fields.ts';
import { faults } from '../../../runtime/faults.ts';
import { enqueue, type TaskKind } from '../../../tasks/index.ts';
import { operation, type Services } from '../../services.ts';
import { changeCluster } from '../lifecycle/changes.ts';
import { clusterFaults } from '../model/faults.ts';
import { requireCluster } from '../require.ts';
import { clusterById, updateCluster } from '../rows.ts';

/** The feature compatibility version: what a cluster keeps able to go back to. */

export const pinFaults = faults({
  CANNOT_PIN_FCV_TENANT: [400, 'A cluster of a shared size has no feature compatibility version of its own.'],
  FCV_NOT_PINNED: [409, 'The feature compatibility version of {0} is not pinned.'],
});

const EXPIRE = { kind: 'cluster.unpin' };

/** Ends a pin at its date, unless it was ended or made longer before. */
export const expirePin: TaskKind<{ clusterId: string; expires: string }, Services> = {
  ...EXPIRE,
  steps: [
    {
      name: 'unpin',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster?.spec.pinned?.expires !== payload.expires || cluster.state === 'DELETING') return;
        const { pinned: _, ...spec } = cluster.spec;
        await updateCluster(tx, { ...cluster, spec });
      },
    },
  ],
};

const tag = 'Clusters';
const versions = { '2024-05-30': 'same', '2025-03-12': 'same' } as const;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_WEEKS = 4;

const Pin = Type.Object({
  expirationDate: Type.Optional(
    DateTime({ description: 'When the pin ends by itself: within four weeks, which is also the default.' }),
  ),
  links: Links,
});

export const pinVersion = operation({
  id: 'pinFeatureCompatibilityVersion',
  summary: 'Keeps the feature compatibility version of a cluster where it is.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:pinFeatureCompatibilityVersion',
  access: 'Project Owner',
  versions,
  body: Pin,
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      if (cluster.spec.tenant) throw pinFaults.CANNOT_PIN_FCV_TENANT();
      if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
      const latest = new Date(tx.now.getTime() + MOST_WEEKS * WEEK_MS);
      const expires = new Date(call.body.expirationDate ?? latest);
      if (expires <= tx.now || expires > latest) throw generalFaults.INVALID_ATTRIBUTE('expirationDate');
      const version = cluster.spec.pinned?.version ?? cluster.spec.majorVersion;
      const spec = { ...cluster.spec, pinned: { version, expires: expires.toISOString() } };
      await changeCluster(tx, cluster, { spec }, call.actor);
      await enqueue(tx, EXPIRE, {
        key: `cluster:${cluster.id}:pin:${expires.getTime()}`,
        payload: { clusterId: cluster.id, expires: expires.toISOString() },
        runAt: expires,
      });
    });
  },
});

export const unpinVersion = operation({
  id: 'unpinFeatureCompatibilityVersion',
  summary: 'Lets the feature compatibility version of a cluster follow its version again.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:unpinFeatureCompatibilityVersion',
  access: 'Project Owner',
  versions,
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
      const { pinned, ...spec } = cluster.spec;
      if (pinned === undefined) throw pinFaults.FCV_NOT_PINNED(cluster.name);
      await changeCluster(tx, cluster, { spec }, call.actor);
    });
  },
});
