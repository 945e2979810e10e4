import { faults } from '@portolan/foundation/faults';

export const membershipFaults = faults({
  USER_NOT_IN_GROUP: [404, 'The user {0} does not belong to the project {1}.'],
  CANNOT_DEMOTE_LAST_ORG_OWNER: [403, 'The last owner of the organization cannot give up the owner role.'],
  CANNOT_DELETE_LAST_ADMIN: [403, 'The last owner of the organization cannot be removed from it.'],
  CANNOT_REMOVE_ALL_USER_ROLES: [403, 'A member must have at least one role; remove the member instead.'],
  NO_ROLES_IN_ASSIGNMENT: [403, 'The role assignment contains no role.'],
  ROLE_NEEDS_GROUP_ID: [400, 'The role {0} requires a project id.'],
  ROLE_NEEDS_ORG_ID: [400, 'The role {0} requires an organization id.'],
  MAX_USERS_PER_ORG_EXCEEDED: [400, 'The organization {1} has reached its limit of {0} users.'],
  MAX_USERS_PER_GROUP_EXCEEDED: [400, 'The project {1} has reached its limit of {0} users.'],
});

export const teamFaults = faults({
  TEAM_NOT_FOUND: [404, 'No team has the id {0}.'],
  TEAM_NAME_NOT_FOUND: [404, 'No team has the name {0}.'],
  TEAM_NOT_IN_ORG: [404, 'The team {0} does not belong to the organization {1}.'],
  TEAM_NOT_IN_GROUP: [404, 'The team {0} has no role in the project {1}.'],
  INVALID_TEAM_ID: [404, 'The team id {0} is not 24 hexadecimal characters.'],
  INVALID_TEAM_NAME: [
    400,
    "The team name {0} is invalid: use 1 to 64 letters, digits, spaces or the characters -_.(),:&@+'.",
  ],
  TEAM_NAME_NOT_AVAILABLE: [409, 'A team named {0} already exists in organization {1}.'],
  MAX_TEAMS_PER_ORG_EXCEEDED: [400, 'The organization {1} has reached its limit of {0} teams.'],
  MAX_TEAM_ROLES_EXCEEDED: [400, 'The teams of the organization {1} have reached their limit of {0} roles.'],
  MAX_TEAMS_PER_GROUP_EXCEEDED: [400, 'The project {1} has reached its limit of {0} teams.'],
});
