import type { EndpointRow, ServiceRow } from './rows.ts';

export function presentService(service: ServiceRow, endpoints: readonly EndpointRow[]) {
  const names = endpoints.map(({ name }) => name);
  const common = {
    cloudProvider: service.provider,
    errorMessage: null,
    id: service.id,
    regionName: service.region,
    status: 'WAITING_FOR_USER' as const,
  };
  switch (service.provider) {
    case 'AWS': {
      const supportedRemoteRegions = service.remoteRegions ? [...service.remoteRegions] : null;
      return { ...common, endpointServiceName: null, interfaceEndpoints: names, supportedRemoteRegions };
    }
    case 'AZURE': {
      const unmade = { privateLinkServiceName: null, privateLinkServiceResourceId: null };
      return { ...common, ...unmade, privateEndpoints: names };
    }
    case 'GCP': {
      const portMappingEnabled = service.mapsPorts;
      return { ...common, endpointGroupNames: names, portMappingEnabled, serviceAttachmentNames: [] };
    }
  }
}

const FAILED = { status: 'FAILED' } as const;

export function presentEndpoint({ provider, mapsPorts }: ServiceRow, { name, settings }: EndpointRow) {
  const common = { cloudProvider: provider, deleteRequested: false, errorMessage: null };
  switch (provider) {
    case 'AWS':
      return { ...common, connectionStatus: 'REJECTED' as const, interfaceEndpointId: name };
    case 'AZURE':
      return {
        ...common,
        ...FAILED,
        privateEndpointConnectionName: null,
        privateEndpointIPAddress: settings.privateEndpointIPAddress,
        privateEndpointResourceId: name,
      };
    case 'GCP':
      return {
        ...common,
        ...FAILED,
        endpointGroupName: name,
        endpoints: (settings.endpoints ?? []).map((rule) => ({ ...rule, ...FAILED })),
        gcpProjectId: settings.gcpProjectId,
        portMappingEnabled: mapsPorts,
      };
  }
}
