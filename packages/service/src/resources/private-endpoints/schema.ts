import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, IpAddress, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const providers = ['AWS', 'AZURE', 'GCP'] as const;
export type Provider = (typeof providers)[number];
const Region = Type.String({ minLength: 1, maxLength: 64, description: 'Region of the endpoint service.' });
const Regions = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description: 'Additional regions from which clients reach the endpoint service; only for AWS.',
});
const Text = Type.String({ minLength: 1, maxLength: 1024 });
const Nothing = readOnly(
  Type.Null({ description: 'Always null, since nothing is created at the provider.' }),
);
const Names = optional(Type.Array(Type.String()));

/** An endpoint service of a project. Its fields depend on the provider. */
export const EndpointService = entity(
  Type.Object(
    {
      cloudProvider: Choice(providers),
      endpointGroupNames: Names,
      endpointServiceName: Nothing,
      errorMessage: Nothing,
      links: Links,
      id: Id(),
      interfaceEndpoints: Names,
      portMappingEnabled: optional(Type.Boolean()),
      privateEndpoints: Names,
      privateLinkServiceName: Nothing,
      privateLinkServiceResourceId: Nothing,
      regionName: Type.String(),
      serviceAttachmentNames: Names,
      status: Choice(['WAITING_FOR_USER'], {
        description: 'Always WAITING_FOR_USER, since nothing is created at the provider.',
      }),
      supportedRemoteRegions: optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    },
    { description: 'A recorded endpoint service. Nothing is created at the provider.' },
  ),
  {
    name: 'endpointService',
    self: 'getPrivateEndpointService',
    params: ({ cloudProvider, id }) => ({ cloudProvider, endpointServiceId: id }),
  },
);

export const NewEndpointService = Type.Object(
  {
    portMappingEnabled: optional(
      Type.Boolean({ description: 'Whether the endpoint service maps ports; only for GCP.' }),
    ),
    providerName: Choice(providers),
    region: Region,
    supportedRemoteRegions: optional(Regions),
  },
  { description: 'An endpoint service to be recorded, for a region of a cloud provider.' },
);
export type NewEndpointService = Type.Static<typeof NewEndpointService>;

export const EndpointServiceUpdate = Type.Object({
  cloudProvider: Choice(providers),
  supportedRemoteRegions: optional(Type.Union([Regions, Type.Null()])),
});

const ForwardingRule = Type.Object({ endpointName: optional(Text), ipAddress: optional(IpAddress) });

export const NewEndpoint = Type.Object(
  {
    cloudProvider: optional(Choice(providers)),
    endpointGroupName: optional(Text),
    endpoints: optional(Type.Array(ForwardingRule, { maxItems: 50 })),
    gcpProjectId: optional(Text),
    id: optional(Text),
    privateEndpointIPAddress: optional(IpAddress),
  },
  { description: 'A private endpoint to be recorded. The provider determines which fields are required.' },
);
export type NewEndpoint = Type.Static<typeof NewEndpoint>;

/** A private endpoint. Its fields depend on the provider. */
export const Endpoint = entity(
  Type.Object(
    {
      cloudProvider: Choice(providers),
      connectionStatus: optional(
        Choice(['REJECTED'], {
          description: 'Always REJECTED, since the endpoint is not connected; only for AWS.',
        }),
      ),
      deleteRequested: Type.Boolean(),
      endpointGroupName: optional(Type.String()),
      endpoints: optional(
        Type.Array(Type.Object({ ...ForwardingRule.properties, status: Choice(['FAILED']) })),
      ),
      errorMessage: Nothing,
      links: Links,
      gcpProjectId: optional(Type.String()),
      interfaceEndpointId: optional(Type.String()),
      portMappingEnabled: optional(Type.Boolean()),
      privateEndpointConnectionName: Nothing,
      privateEndpointIPAddress: optional(Type.String()),
      privateEndpointResourceId: optional(Type.String()),
      status: optional(
        Choice(['FAILED'], {
          description: 'Always FAILED, since the endpoint is not connected; only for Azure and GCP.',
        }),
      ),
    },
    { description: 'A recorded private endpoint. The service does not connect it.' },
  ),
  {
    name: 'privateEndpoint',
    self: 'getPrivateEndpoint',
    params: ({ cloudProvider, ...endpoint }) => ({
      cloudProvider,
      endpointId:
        endpoint.interfaceEndpointId ??
        endpoint.privateEndpointResourceId ??
        endpoint.endpointGroupName ??
        '',
    }),
  },
);

export const RegionalMode = entity(
  Type.Object({
    links: Links,
    enabled: Type.Boolean({ description: 'Whether a region can have several endpoint services.' }),
  }),
  { name: 'regionalMode', self: 'getRegionalizedPrivateEndpointSetting', params: () => ({}) },
);
