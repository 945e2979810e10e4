import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';
import { userFaults } from './rules.ts';

export { makeOrganizationOwner, makeProjectOwner } from './changes.ts';
export { hashPassword } from './passwords.ts';
export { findUser, findUserNamed, insertUser, type UserRow, updateProfile, usersAmong } from './rows.ts';
export { isMemberOf, requireUser, userFaults } from './rules.ts';

/** People, whatever they belong to. Their operations are those of `users`, which knows organizations and projects. */
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
