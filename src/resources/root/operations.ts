import type { Caller } from '../../access/index.ts';
import { operation } from '../services.ts';
import { SystemStatus } from './schema.ts';

export const getSystemStatus = operation({
  id: 'getSystemStatus',
  summary: 'Where browsing begins: who calls, and links to everything.',
  tag: 'Root',
  method: 'GET',
  path: '/',
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
              roles: rolesOf(caller),
            },
          }
        : { serviceAccount: { clientId: caller.id, roles: rolesOf(caller) } }),
    };
  },
});

function rolesOf(caller: Caller) {
  return caller.grants.map(({ scope, id, role }) => ({
    ...(scope === 'org' ? { orgId: id } : { groupId: id }),
    roleName: role,
  }));
}

function addressEntry(cidrBlock: string) {
  const [address = '', bits] = cidrBlock.split('/');
  const single = bits === (address.includes(':') ? '128' : '32');
  return { cidrBlock, ipAddress: single ? address : null };
}
