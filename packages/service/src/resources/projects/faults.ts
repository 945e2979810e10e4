import { faults } from '@portolan/foundation/faults';

export const projectFaults = faults({
  GROUP_NOT_FOUND: [404, 'No project has the id {0}.'],
  GROUP_NAME_NOT_FOUND: [404, 'No project has the name {0}.'],
  INVALID_GROUP_ID: [404, 'The project id {0} is not 24 hexadecimal characters.'],
  INVALID_GROUP_NAME: [
    400,
    "The project name {0} is invalid: use 1 to 64 letters, digits, spaces or the characters -_.(),:&@+'.",
  ],
  GROUP_ALREADY_EXISTS: [409, 'A project named {0} already exists in the organization.'],
  MAX_GROUPS_PER_ORG_EXCEEDED: [400, 'The organization {1} has reached its limit of {0} projects.'],
  MULTIPLE_GROUPS: [409, 'Several projects have the name {0}.'],
  CANNOT_CLOSE_GROUP_ACTIVE_PLATFORM_CLUSTERS: [
    409,
    'The project has clusters, which must be deleted first.',
  ],
});
