import Type from 'typebox';
import { Choice } from '../../api/fields.ts';
import { pageOf } from '../../store/index.ts';
import { extension, operation } from '../services.ts';
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
  summary: 'Lists the virtual networks of a project at one cloud provider, by default AWS.',
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

export const listAllContainers = extension({
  id: 'listAllPeeringContainers',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/containers/all',
  summary: 'Lists the virtual networks of a project at all cloud providers.',
  access: 'Project Read Only',
  reply: Container,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const rows = await containersOf(tx, call.params.groupId);
      return pageOf(rows.map(presentContainer), call.page);
    }),
});

export const getContainer = operation({
  id: 'getPeeringContainer',
  tag: 'Network Peering',
  method: 'GET',
  path: '/groups/{groupId}/containers/{containerId}',
  summary: 'Returns one virtual network of a project.',
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
  summary: 'Returns whether the clusters of a project are reachable over peered networks only.',
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
  summary: 'Disables private IP mode, or enables it if the project has no clusters.',
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
  summary: 'Returns whether AWS clusters also have host names for custom DNS servers.',
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
