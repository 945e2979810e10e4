import type { Family } from '../family.ts';
import { userFaults } from './membership.ts';
import { migrations } from './migrations.ts';

export {
  existingUser,
  isMemberOf,
  makeOrganizationOwner,
  makeProjectOwner,
  userFaults,
} from './membership.ts';
export { hashPassword } from './passwords.ts';
export { findUser, findUserNamed, insertUser, type UserRow, updateProfile, usersAmong } from './rows.ts';

/** People, whatever they belong to. Their operations stand in `users`, which knows organizations and projects. */
export const family: Family = {
  name: 'accounts',
  operations: [],
  migrations,
  eventTypes: {
    JOINED_GROUP: { description: 'User joined the project', alertable: true },
    JOINED_ORG: { description: 'User joined the organization', alertable: false },
  },
  faults: [userFaults],
};
