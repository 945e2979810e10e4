import { faults } from '@portolan/foundation/faults';

export const membershipFaults = faults({
  USER_NOT_IN_GROUP: [404, 'The user {0} does not belong to the project {1}.'],
  CANNOT_DEMOTE_LAST_ORG_OWNER: [403, 'The last user who owns the organization stays its owner.'],
  CANNOT_DELETE_LAST_ADMIN: [403, 'The last user who owns the organization cannot be removed from it.'],
  CANNOT_REMOVE_ALL_USER_ROLES: [403, 'A member keeps one role at least; remove the member instead.'],
  NO_ROLES_IN_ASSIGNMENT: [403, 'The assignment names no role.'],
  ROLE_NEEDS_GROUP_ID: [400, 'The role {0} needs the id of a project.'],
  ROLE_NEEDS_ORG_ID: [400, 'The role {0} needs the id of an organization.'],
  MAX_USERS_PER_ORG_EXCEEDED: [400, 'At most {0} users belong to organization {1}.'],
  MAX_USERS_PER_GROUP_EXCEEDED: [400, 'At most {0} users belong to project {1}.'],
});

export const teamFaults = faults({
  TEAM_NOT_FOUND: [404, 'No team with id {0} exists.'],
  TEAM_NAME_NOT_FOUND: [404, 'No team named {0} exists.'],
  TEAM_NOT_IN_ORG: [404, 'The team {0} does not belong to the organization {1}.'],
  TEAM_NOT_IN_GROUP: [404, 'The team {0} has no role in the project {1}.'],
  INVALID_TEAM_ID: [404, 'The team id {0} is not 24 hexadecimal characters.'],
  INVALID_TEAM_NAME: [400, "The team name {0} is not 1 to 64 letters, digits, spaces and -_.(),:&@+'."],
  TEAM_NAME_NOT_AVAILABLE: [409, 'A team named {0} exists already in organization {1}.'],
  MAX_TEAMS_PER_ORG_EXCEEDED: [400, 'At most {0} teams belong to organization {1}.'],
  MAX_TEAMS_PER_GROUP_EXCEEDED: [400, 'At most {0} teams have roles in project {1}.'],
});
