/**
 * Commands that change users or roles. On a cluster that a service manages, connection threads refuse them; their names
 * stand here by themselves, so that those threads need not load the commands.
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
] as const;

export type AccountChange = (typeof accountChanges)[number];
