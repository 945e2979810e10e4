/**
 * Commands that change users or roles. On a managed cluster, connection threads reject them; the list has a separate
 * file, so that those threads need not load the commands.
 */
export const accountChanges = [
  'createUser',
  'updateUser',
  'dropUser',
  'dropAllUsersFromDatabase',
  'grantRolesToUser',
  'revokeRolesFromUser',
  'createRole',
  'updateRole',
  'dropRole',
  'dropAllRolesFromDatabase',
  'grantPrivilegesToRole',
  'revokePrivilegesFromRole',
  'grantRolesToRole',
  'revokeRolesFromRole',
  '_mergeAuthzCollections',
] as const;

export type AccountChange = (typeof accountChanges)[number];
