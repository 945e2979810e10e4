import type { Schemas } from './operations.ts';

/** The fields of errors whose response names no field, by error code. */
const fieldsByCode: Readonly<Record<string, readonly string[]>> = {
  ADDRESS_ALREADY_IN_ACCESS_LIST: ['ipAddress', 'cidrBlock'],
  BLOCKED_USERNAME: ['username'],
  COMMON_PASSWORD: ['password'],
  DUPLICATE_AZURE_SERVICE_PRINCIPAL: ['servicePrincipalId'],
  DUPLICATE_CLUSTER_NAME: ['name'],
  GROUP_ALREADY_EXISTS: ['name'],
  INVALID_NETWORK_PERMISSION_COMMENT: ['comment'],
  INVALID_TEAM_NAME: ['name'],
  PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS: ['roleName'],
  PLATFORM_FTS_DUPLICATE_INDEX: ['name'],
  PLATFORM_INVALID_USERNAME: ['username'],
  ROLE_NAME_TAKEN_ON_SERVERS: ['roleName'],
  STATE_NAME_INVALID: ['name'],
  TEAM_NAME_NOT_AVAILABLE: ['name'],
  USERNAME_TAKEN_ON_SERVERS: ['username'],
  USER_ALREADY_EXISTS: ['username'],
  WEAK_PASSWORD: ['password'],
};

/** Returns the names of the fields that caused an error. */
export function fieldsOf({ badRequestDetail, errorCode = '' }: Partial<Schemas['Error']>): readonly string[] {
  return badRequestDetail?.fields.map(({ field }) => field) ?? fieldsByCode[errorCode] ?? [];
}
