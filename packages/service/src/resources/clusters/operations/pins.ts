import Type from 'typebox';
import { DateTime, Links } from '../../../api/fields.ts';
import { operation } from '../../services.ts';
import { pinVersion, unpinVersion } from '../lifecycle/pins.ts';
import { requireCluster } from '../require.ts';

const Pin = Type.Object({
  expirationDate: Type.Optional(
    DateTime({
      description:
        'Time at which the pin expires. The default is four weeks from now, which is also the maximum.',
    }),
  ),
  links: Links,
});

export const pinFeatureCompatibilityVersion = operation({
  id: 'pinFeatureCompatibilityVersion',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:pinFeatureCompatibilityVersion',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Pins the feature compatibility version of a cluster.',
  access: 'Project Owner',
  body: Pin,
  status: 204,
  async handler(call) {
    const { expirationDate } = call.body;
    await call.write(async (tx) => {
      await pinVersion(tx, await requireCluster(tx, call.params), expirationDate, call.actor);
    });
  },
});

export const unpinFeatureCompatibilityVersion = operation({
  id: 'unpinFeatureCompatibilityVersion',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}:unpinFeatureCompatibilityVersion',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Unpins the feature compatibility version of a cluster.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => unpinVersion(tx, await requireCluster(tx, call.params), call.actor));
  },
});
