import Type from 'typebox';
import { extension } from '../services.ts';
import { addEndpoint, addService, removeService } from './changes.ts';
import { presentEndpoint, presentService } from './present.ts';
import {
  deleteEndpoint as deleteEndpointRow,
  endpointsOf,
  regionalMode,
  saveRegionalMode,
  saveRemoteRegions,
  servicesOf,
} from './rows.ts';
import { readRemoteRegions, requireEndpoint, requireService } from './rules.ts';
import {
  Endpoint,
  EndpointService,
  EndpointServiceUpdate,
  NewEndpoint,
  NewEndpointService,
  RegionalMode,
} from './schema.ts';

const tag = 'Private Endpoint Services';
const BASE = '/groups/{groupId}/privateEndpoint';
const SERVICES = `${BASE}/{cloudProvider}/endpointService` as const;
const SERVICE = `${SERVICES}/{endpointServiceId}` as const;
const ENDPOINT = `${SERVICE}/endpoint/{endpointId}` as const;
const Empty = Type.Object({}, { description: 'An empty object.' });
const access = 'Project Owner';

export const createService = extension({
  id: 'createPrivateEndpointService',
  tag,
  method: 'POST',
  path: `${BASE}/endpointService`,
  summary: 'Records an endpoint service for a region. Nothing is created at the provider.',
  access,
  body: NewEndpointService,
  reply: EndpointService,
  status: 201,
  handler: ({ params, body, actor, write }) =>
    write(async (tx) => presentService(await addService(tx, params.groupId, body, actor), [])),
});

export const updateService = extension({
  id: 'updatePrivateEndpointService',
  tag,
  method: 'PATCH',
  path: `${BASE}/endpointService/{endpointServiceId}`,
  summary: 'Changes the additional regions from which clients reach a recorded endpoint service.',
  access,
  body: EndpointServiceUpdate,
  reply: EndpointService,
  status: 200,
  handler: ({ params, body: { cloudProvider, supportedRemoteRegions }, write }) =>
    write(async (tx) => {
      const row = await requireService(tx, { ...params, cloudProvider });
      const named = supportedRemoteRegions === null ? [] : supportedRemoteRegions;
      const given = named && readRemoteRegions(named, row);
      if (given) await saveRemoteRegions(tx, row.id, given);
      const remoteRegions = given ?? row.remoteRegions;
      return presentService({ ...row, remoteRegions }, await endpointsOf(tx, row.id));
    }),
});

export const listServices = extension({
  id: 'listPrivateEndpointServices',
  tag,
  method: 'GET',
  path: SERVICES,
  summary: 'Lists the recorded endpoint services of a project at one cloud provider.',
  access: 'Project Read Only',
  reply: EndpointService,
  list: 'array',
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => {
      const rows = await servicesOf(tx, params.groupId, params.cloudProvider);
      return Promise.all(rows.map(async (row) => presentService(row, await endpointsOf(tx, row.id))));
    }),
});

export const getService = extension({
  id: 'getPrivateEndpointService',
  tag,
  method: 'GET',
  path: SERVICE,
  summary: 'Returns one recorded endpoint service.',
  access: 'Project Read Only',
  reply: EndpointService,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => {
      const row = await requireService(tx, params);
      return presentService(row, await endpointsOf(tx, row.id));
    }),
});

export const deleteService = extension({
  id: 'deletePrivateEndpointService',
  tag,
  method: 'DELETE',
  path: SERVICE,
  summary: 'Deletes a recorded endpoint service without endpoints.',
  access,
  reply: Empty,
  status: 202,
  handler: ({ params, actor, write }) =>
    write(async (tx) => {
      await removeService(tx, await requireService(tx, params), actor);
      return {};
    }),
});

export const createEndpoint = extension({
  id: 'createPrivateEndpoint',
  tag,
  method: 'POST',
  path: `${SERVICE}/endpoint`,
  summary: 'Records a private endpoint. The service does not connect it.',
  access,
  body: NewEndpoint,
  reply: Endpoint,
  status: 201,
  handler: ({ params, body, write }) =>
    write(async (tx) => {
      const service = await requireService(tx, params);
      return presentEndpoint(service, await addEndpoint(tx, service, body));
    }),
});

export const getEndpoint = extension({
  id: 'getPrivateEndpoint',
  tag,
  method: 'GET',
  path: ENDPOINT,
  summary: 'Returns one recorded private endpoint.',
  access: 'Project Read Only',
  reply: Endpoint,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => {
      const service = await requireService(tx, params);
      return presentEndpoint(service, await requireEndpoint(tx, service, params.endpointId));
    }),
});

export const deleteEndpoint = extension({
  id: 'deletePrivateEndpoint',
  tag,
  method: 'DELETE',
  path: ENDPOINT,
  summary: 'Deletes a recorded private endpoint.',
  access,
  reply: Empty,
  status: 202,
  handler: ({ params, write }) =>
    write(async (tx) => {
      const service = await requireService(tx, params);
      await deleteEndpointRow(tx, await requireEndpoint(tx, service, params.endpointId));
      return {};
    }),
});

export const getRegionalMode = extension({
  id: 'getRegionalizedPrivateEndpointSetting',
  tag,
  method: 'GET',
  path: `${BASE}/regionalMode`,
  summary: 'Returns whether a region can have several endpoint services.',
  access: 'Project Read Only',
  reply: RegionalMode,
  status: 200,
  handler: ({ params, read }) => read(async (tx) => ({ enabled: await regionalMode(tx, params.groupId) })),
});

export const updateRegionalMode = extension({
  id: 'toggleRegionalizedPrivateEndpointSetting',
  tag,
  method: 'PATCH',
  path: `${BASE}/regionalMode`,
  summary: 'Sets whether a region can have several endpoint services.',
  access,
  body: RegionalMode,
  reply: RegionalMode,
  status: 202,
  handler: ({ params, body: { enabled }, write }) =>
    write(async (tx) => {
      await saveRegionalMode(tx, params.groupId, enabled);
      return { enabled };
    }),
});
