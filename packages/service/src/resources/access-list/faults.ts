import { faults } from '@portolan/foundation/faults';
import { MAX_COMMENT } from './schema.ts';

export const accessListFaults = faults({
  MULTIPLE_VALUES_SPECIFIED_FOR_ONE_NETWORK_PERMISSION_ENTRY: [
    400,
    'An entry must have exactly one of ipAddress, cidrBlock and awsSecurityGroup.',
  ],
  INVALID_NETWORK_PERMISSION_COMMENT: [400, `A comment must not exceed ${MAX_COMMENT} characters.`],
  CANNOT_USE_AWS_SECURITY_GROUP_WITHOUT_VPC_PEERING_CONNECTION: [
    400,
    'A security group requires an established peering connection, which the project does not have.',
  ],
  NETWORK_PERMISSION_EXPIRATION_NOT_SUPPORTED: [400, 'An entry for a security group cannot expire.'],
  DUPLICATE_ADDRESSES_IN_INPUT: [400, 'The request contains an address twice.'],
  PERMANENT_ENTITY_CANNOT_BE_MADE_TEMPORARY: [400, 'A permanent entry cannot be made temporary.'],
  PLATFORM_NETWORK_PERMISSIONS_LIMIT_EXCEEDED: [
    403,
    'The access list of a project is limited to {0} entries.',
  ],
  PLATFORM_NETWORK_PERMISSION_ENTRY_NOT_FOUND: [404, 'The access list of project {1} has no entry {0}.'],
});
