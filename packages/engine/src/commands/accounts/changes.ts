/**
 * Commands that change users or roles. On a managed cluster, connection threads reject them. The list is in a file of
 * its own, so that those threads need not load the commands.
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
