import { singleAddress } from '../../access/index.ts';
import { roleAssignments } from '../organizations/index.ts';
import { operation } from '../services.ts';
import { SystemStatus } from './schema.ts';

export const getSystemStatus = operation({
  id: 'getSystemStatus',
  tag: 'Root',
  method: 'GET',
  path: '/',
  summary: 'Returns the root resource, with the caller and links to the top-level resources.',
  access: 'any caller',
  reply: SystemStatus,
  status: 200,
  async handler({ caller, services }) {
    return {
      appName: 'Portolan',
      build: services.build,
      throttling: false,
      ...(caller.kind === 'apiKey'
        ? {
            apiKey: {
              accessList: caller.addresses.map(addressEntry),
              id: caller.id,
              publicKey: caller.name,
              roles: roleAssignments(caller.grants),
            },
          }
        : caller.kind === 'user'
          ? { user: { id: caller.id, roles: roleAssignments(caller.grants), username: caller.name } }
          : { serviceAccount: { clientId: caller.id, roles: roleAssignments(caller.grants) } }),
    };
  },
});

function addressEntry(cidrBlock: string) {
  return { cidrBlock, ipAddress: singleAddress(cidrBlock) ?? null };
}
