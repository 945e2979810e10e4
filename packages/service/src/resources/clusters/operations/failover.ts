import Type from 'typebox';
import { operation } from '../../services.ts';
import { requestFailover } from '../lifecycle/failover.ts';
import { requireCluster } from '../require.ts';

export const testFailover = operation({
  id: 'testFailover',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/restartPrimaries',
  summary: 'Tests a failover: the primary of each shard steps down, and another member is elected.',
  access: 'Project Cluster Manager',
  versions: { '2023-01-01': 'same', '2023-02-01': 'same', '2025-03-12': 'same' },
  reply: Type.Object({}),
  status: 200,
  async handler(call) {
    await call.write(async (tx) => requestFailover(tx, await requireCluster(tx, call.params), call.actor));
    return {};
  },
});
