import type { Family } from '../family.ts';
import { userFaults } from './faults.ts';
import { migrations } from './migrations.ts';

export { makeOrganizationOwner, makeProjectOwner } from './changes.ts';
export { userFaults } from './faults.ts';
export { hashPassword, isPassword } from './passwords.ts';
export {
  findUser,
  findUserNamed,
  insertUser,
  noContact,
  type UserRow,
  updateLastAuth,
  updatePasswordHash,
  updateProfile,
  updateProven,
  usersAmong,
} from './rows.ts';
export { checkOrganizationLimit, isMemberOf, requireUser, sharedOrganizations } from './rules.ts';

/** User accounts. Their operations belong to the family `users`, which can also access organizations and projects. */
export const family: Family = {
  name: 'accounts',
  operations: [],
  migrations,
  eventTypes: {
    JOINED_GROUP: 'User joined the project',
    JOINED_ORG: 'User joined the organization',
  },
  faults: [userFaults],
};
