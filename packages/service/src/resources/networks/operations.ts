import Type from 'typebox';
import { Choice } from '../../api/fields.ts';
import { pageOf } from '../../store/index.ts';
import { operation } from '../services.ts';
import { switchCustomDns, switchPrivateIpMode } from './changes.ts';
import { type ContainerRow, containersOf, customDns, findContainer, privateIpMode } from './rows.ts';
import { networkFaults } from './rules.ts';
import { Container, CustomDns, PrivateIpMode } from './schema.ts';

const presentContainer = ({ id, provider, region, cidr }: ContainerRow) => ({
  id,
  platformCidrBlock: cidr,
  providerName: provider,
  provisioned: true,
  ...(region === '' ? {} : { regionName: region }),
});

export const listContainers = operation({
  id: 'listPeeringContainers',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/containers',
  summary: 'Lists the virtual networks of a project at one cloud provider, AWS where none is named.',
  access: 'Project Read Only',
  query: Type.Object({ providerName: Type.Optional(Choice(['AWS', 'AZURE', 'GCP'], { default: 'AWS' })) }),
  reply: Container,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'containers' },
  handler: (call) =>
    call.read(async (tx) => {
      const rows = await containersOf(tx, call.params.groupId);
      const provider = call.query.providerName ?? 'AWS';
      return pageOf(rows.filter((row) => row.provider === provider).map(presentContainer), call.page);
    }),
});

export const getContainer = operation({
  id: 'getPeeringContainer',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/containers/{containerId}',
  summary: 'Answers one virtual network of a project.',
  access: 'Project Read Only',
  reply: Container,
  status: 200,
  handler: ({ params: { groupId, containerId }, read }) =>
    read(async (tx) => {
      const row = await findContainer(tx, groupId, containerId);
      if (!row) throw networkFaults.CLOUD_PROVIDER_CONTAINER_NOT_FOUND(containerId);
      return presentContainer(row);
    }),
});

export const getPrivateIpMode = operation({
  id: 'getPrivateIpMode',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/privateIpMode',
  summary: 'Answers whether the clusters of a project are reached over peered networks alone.',
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
  summary: 'Switches private IP mode off, or on while the project holds no cluster.',
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
  summary: 'Answers whether clusters at AWS are also told by names for DNS servers of their users.',
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
  summary: 'Gives clusters at AWS names for DNS servers of their users, or takes them away.',
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
