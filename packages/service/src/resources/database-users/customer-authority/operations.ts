import type { ReadTx } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { changeAuthorities, changeDirectory, checkAuthorities } from './changes.ts';
import { customerAuthorities, directoryOf, saveDirectory } from './rows.ts';
import { UserSecurity, UserSecurityUpdate } from './schema.ts';

const tag = 'X.509 Authentication';
const path = '/groups/{groupId}/userSecurity';

async function presentSecurity(tx: ReadTx, groupId: string) {
  const cas = await customerAuthorities(tx, groupId);
  return {
    customerX509: cas === undefined ? {} : { cas },
    ldap: { authenticationEnabled: false, authorizationEnabled: false, ...(await directoryOf(tx, groupId)) },
  };
}

export const getUserSecurity = extension({
  id: 'getUserSecurity',
  tag,
  method: 'GET',
  path,
  summary:
    'Returns the certificate authorities of database users whose x509Type is CUSTOMER, and the settings of an LDAP directory.',
  access: 'Project Owner',
  reply: UserSecurity,
  status: 200,
  handler: (call) => call.read((tx) => presentSecurity(tx, call.params.groupId)),
});

export const updateUserSecurity = extension({
  id: 'updateUserSecurity',
  tag,
  method: 'PATCH',
  path,
  summary:
    'Replaces the certificate authorities of database users whose x509Type is CUSTOMER, and changes the settings of an LDAP directory.',
  access: 'Project Owner',
  body: UserSecurityUpdate,
  reply: UserSecurity,
  status: 200,
  handler(call) {
    const { groupId } = call.params;
    const { customerX509, ldap } = call.body;
    const cas = customerX509?.cas;
    if (cas !== undefined) checkAuthorities(cas);
    return call.write(async (tx) => {
      if (cas !== undefined) await changeAuthorities(tx, call.actor, groupId, cas);
      if (ldap !== undefined) await changeDirectory(tx, groupId, ldap);
      return presentSecurity(tx, groupId);
    });
  },
});

export const deleteCustomerX509 = extension({
  id: 'deleteCustomerX509',
  tag,
  method: 'DELETE',
  path: `${path}/customerX509`,
  summary: 'Removes the certificate authorities of database users whose x509Type is CUSTOMER.',
  access: 'Project Owner',
  reply: UserSecurity,
  status: 200,
  handler(call) {
    const { groupId } = call.params;
    return call.write(async (tx) => {
      await changeAuthorities(tx, call.actor, groupId, '');
      return presentSecurity(tx, groupId);
    });
  },
});

export const deleteDirectoryMapping = extension({
  id: 'deleteLdapUserMapping',
  tag,
  method: 'DELETE',
  path: `${path}/ldap/userToDNMapping`,
  summary:
    'Removes the mapping of user names to distinguished names from the settings of the LDAP directory.',
  access: 'Project Owner',
  reply: UserSecurity,
  status: 200,
  handler(call) {
    const { groupId } = call.params;
    return call.write(async (tx) => {
      const { userToDNMapping: _, ...others } = await directoryOf(tx, groupId);
      await saveDirectory(tx, groupId, others);
      return presentSecurity(tx, groupId);
    });
  },
});
