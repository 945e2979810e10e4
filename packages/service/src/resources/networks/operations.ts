import { operation } from '../services.ts';
import { switchCustomDns, switchPrivateIpMode } from './changes.ts';
import { customDns, privateIpMode } from './rows.ts';
import { CustomDns, PrivateIpMode } from './schema.ts';

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
  summary: 'Enables or disables private IP mode. It can be enabled only while the project has no clusters.',
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

export const getCustomDns = operation({
  id: 'getAwsCustomDns',
  tag: 'AWS Clusters DNS',
  method: 'GET',
  path: '/groups/{groupId}/awsCustomDNS',
  summary: 'Returns whether custom DNS is enabled for the AWS clusters of a project.',
  access: 'Project Read Only',
  reply: CustomDns,
  status: 200,
  reachedFrom: { project: 'awsCustomDNS' },
  handler: (call) => call.read(async (tx) => ({ enabled: await customDns(tx, call.params.groupId) })),
});

export const updateCustomDns = operation({
  id: 'toggleAwsCustomDns',
  tag: 'AWS Clusters DNS',
  method: 'PATCH',
  path: '/groups/{groupId}/awsCustomDNS',
  summary: 'Enables or disables custom DNS for the AWS clusters of a project.',
  access: 'Project Platform Admin',
  body: CustomDns,
  reply: CustomDns,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { enabled } = call.body;
      await switchCustomDns(tx, call.params.groupId, enabled);
      return { enabled };
    }),
});
