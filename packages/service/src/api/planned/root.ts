import { contract, plannedTag, reference } from './planned.ts';

export const root = plannedTag('Root', {
  getSystemStatus: contract('GET /'),
  returnAllControlPlaneIpAddresses: reference('GET /unauth/controlPlaneIPAddresses', '2023-11-15'),
});
