import { contract, type PlannedTag, reference } from './planned.ts';

export const root: PlannedTag = {
  tag: 'Root',
  paths: {
    '/': {
      GET: contract('getSystemStatus'),
    },
    '/unauth/controlPlaneIPAddresses': {
      GET: reference('returnAllControlPlaneIpAddresses', '2023-11-15'),
    },
  },
};
