import { pageOf } from '../../store/index.ts';
import { containersOf } from '../networks/index.ts';
import { extension, operation } from '../services.ts';
import { addContainer, changeContainer, removeContainer } from './changes.ts';
import { presentContainer } from './present.ts';
import { requireContainer, usedNetworks } from './rules.ts';
import { Container, ContainerUpdate, ListQuery, NewContainer } from './schema.ts';

const tag = 'Network Peering';
const LIST = '/groups/{groupId}/containers';
const ONE = `${LIST}/{containerId}` as const;

export const listContainers = operation({
  id: 'listPeeringContainers',
  tag,
  method: 'GET',
  path: LIST,
  summary: 'Lists the virtual networks of a project at one cloud provider; the default is AWS.',
  access: 'Project Read Only',
  query: ListQuery,
  reply: Container,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'containers' },
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId } = call.params;
      const isUsed = await usedNetworks(tx, groupId);
      const named = call.query.providerName ?? 'AWS';
      const rows = (await containersOf(tx, groupId)).filter(({ provider }) => provider === named);
      return pageOf(
        rows.map((row) => presentContainer(row, isUsed)),
        call.page,
      );
    }),
});

export const listAllContainers = extension({
  id: 'listAllPeeringContainers',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/containers/all',
  summary: 'Lists the virtual networks of a project at all cloud providers.',
  access: 'Project Read Only',
  reply: Container,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const isUsed = await usedNetworks(tx, call.params.groupId);
      const rows = await containersOf(tx, call.params.groupId);
      return pageOf(
        rows.map((row) => presentContainer(row, isUsed)),
        call.page,
      );
    }),
});

export const getContainer = operation({
  id: 'getPeeringContainer',
  tag,
  method: 'GET',
  path: ONE,
  summary: 'Returns one virtual network of a project.',
  access: 'Project Read Only',
  reply: Container,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) =>
      presentContainer(await requireContainer(tx, params), await usedNetworks(tx, params.groupId)),
    ),
});

export const createContainer = extension({
  id: 'createPeeringContainer',
  tag,
  method: 'POST',
  path: LIST,
  summary: 'Creates a virtual network with a chosen address block, for clusters that are created later.',
  access: 'Project Owner',
  body: NewContainer,
  reply: Container,
  status: 201,
  handler: ({ params: { groupId }, body, write }) =>
    write(async (tx) =>
      presentContainer(await addContainer(tx, groupId, body), await usedNetworks(tx, groupId)),
    ),
});

export const updateContainer = extension({
  id: 'updatePeeringContainer',
  tag,
  method: 'PATCH',
  path: ONE,
  summary: 'Changes a virtual network that no cluster or peering connection uses.',
  access: 'Project Owner',
  body: ContainerUpdate,
  reply: Container,
  status: 200,
  handler: ({ params, body, write }) =>
    write(async (tx) => {
      const row = await changeContainer(tx, await requireContainer(tx, params), body);
      return presentContainer(row, await usedNetworks(tx, params.groupId));
    }),
});

export const deleteContainer = extension({
  id: 'deletePeeringContainer',
  tag,
  method: 'DELETE',
  path: ONE,
  summary: 'Deletes a virtual network that no cluster or peering connection uses.',
  access: 'Project Owner',
  status: 204,
  handler: ({ params, write }) =>
    write(async (tx) => removeContainer(tx, await requireContainer(tx, params))),
});
