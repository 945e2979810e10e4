import type { Tx } from '../../store/index.ts';
import { clustersIn } from '../clusters/index.ts';
import { networkFaults, PrivateIpMode, privateIpMode, savePrivateIpMode } from '../networks/index.ts';
import { operation } from '../services.ts';

export const getPrivateIpMode = operation({
  id: 'getPrivateIpMode',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/privateIpMode',
  summary: 'Returns whether private IP mode is enabled for a project.',
  access: 'Project Read Only',
  reply: PrivateIpMode,
  status: 200,
  reachedFrom: { project: 'privateIpMode' },
  handler: (call) => call.read(async (tx) => ({ enabled: await privateIpMode(tx, call.params.groupId) })),
});

export const updatePrivateIpMode = operation({
  id: 'updatePrivateIpMode',
  tag: 'Network Peering',
  method: 'PATCH',
  path: '/groups/{groupId}/privateIpMode',
  summary:
    'Enables or disables private IP mode. It can be enabled only while the project has no dedicated clusters.',
  access: 'Project Owner',
  body: PrivateIpMode,
  reply: PrivateIpMode,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { enabled } = call.body;
      await switchPrivateIpMode(tx, call.params.groupId, enabled);
      return { enabled };
    }),
});

/** Throws if private IP mode would be enabled in a project with dedicated clusters. */
async function switchPrivateIpMode(tx: Tx, groupId: string, enabled: boolean): Promise<void> {
  if (enabled && !(await privateIpMode(tx, groupId))) {
    const clusters = await clustersIn(tx, groupId);
    if (clusters.some(({ spec }) => !spec.tenant)) {
      throw networkFaults.CANNOT_UPDATE_PRIVATE_IP_MODE(groupId);
    }
  }
  await savePrivateIpMode(tx, groupId, enabled);
}
