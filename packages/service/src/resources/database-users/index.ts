import { ID_PATTERN } from '@portolan/foundation/ids';
import { type Family, operationsIn } from '../family.ts';
import { certificateFaults } from './certificates/faults.ts';
import * as certificates from './certificates/operations.ts';
import { roleFaults } from './custom-roles/faults.ts';
import * as customRoles from './custom-roles/operations.ts';
import { AUTHORITIES_UPDATED } from './customer-authority/changes.ts';
import * as customerAuthority from './customer-authority/operations.ts';
import { directoryFaults } from './directory/faults.ts';
import * as directory from './directory/operations.ts';
import { verifyServer } from './directory/tasks.ts';
import { userFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as users from './operations.ts';
import { expireUser } from './tasks.ts';

export { userAuthorities } from './certificates/authority.ts';
export { addUser, removeUser } from './changes.ts';
export { oldestVersionOf } from './custom-roles/actions.ts';
export { rolesOf } from './custom-roles/rows.ts';
export { roleSpec } from './custom-roles/spec.ts';
export { AUTHORITIES_UPDATED } from './customer-authority/changes.ts';
export { findUser, forgetPasswords, usersOf } from './rows.ts';
export { readUser } from './rules.ts';
export { isInScope } from './scopes.ts';
export { sealPassword, storingPassword } from './stored-password.ts';
export { sealVerifiers, userSpec } from './verifiers.ts';

export const family: Family = {
  name: 'database-users',
  operations: operationsIn(users, customRoles, certificates, customerAuthority, directory),
  parameters: {
    databaseName: { description: 'Authentication database of the user: `admin` or `$external`.' },
    username: { description: 'Name of the user.' },
    requestId: { description: 'Id of the verification.', pattern: ID_PATTERN },
    roleName: { description: 'Name of the role.' },
  },
  migrations,
  tasks: [expireUser, verifyServer],
  eventTypes: {
    DB_USER_ADDED: 'Database user was added',
    DB_USER_UPDATED: 'Database user was updated',
    DB_ROLE_ADDED: 'Custom role was added',
    DB_ROLE_UPDATED: 'Custom role was updated',
    DB_ROLE_DELETED: 'Custom role was deleted',
    [AUTHORITIES_UPDATED]: 'Certificate authorities of database users were changed',
    DB_USER_DELETED: 'Database user was deleted',
  },
  faults: [userFaults, roleFaults, certificateFaults, directoryFaults],
};
