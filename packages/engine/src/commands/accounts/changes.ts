/**
 * Commands that change users or roles. On a managed cluster, connection threads reject these commands. The
 * list has its own file, so that connection threads need not load the implementation of the commands.
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
