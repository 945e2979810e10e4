import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { type AzureIdentity, findRole, type Identity, type RoleRow, rolesOf } from './rows.ts';
import type { AccessRole } from './schema.ts';

export const providerAccessFaults = faults({
  CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND: [404, 'The project has no access role {0}.'],
  // docs/contract/clusters.md 6 specifies the status only.
  CLOUD_PROVIDER_ACCESS_ROLE_ALREADY_AUTHORIZED: [409, 'The access role {0} is already authorized for {1}.'],
  CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED: [400, 'The access role {0} is not authorized yet.'],
  CLOUD_PROVIDER_ACCESS_ROLE_IN_USE: [409, 'The access role {0} is in use.'],
  DUPLICATE_AZURE_SERVICE_PRINCIPAL: [409, 'The project has an access role with the service principal {0}.'],
  CANNOT_ASSUME_ROLE: [400, 'The role {0} cannot be assumed.'],
});

/** arn:partition:iam::account:role/path/name, with the characters that IAM allows in paths and names. */
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/;

/** Throws CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND. */
export async function requireAccessRole(tx: ReadTx, groupId: string, roleId: string): Promise<RoleRow> {
  const row = await findRole(tx, groupId, roleId);
  if (!row) throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND(roleId);
  return row;
}

/** Applies a body to an Azure principal. Throws for missing fields. */
export function readPrincipal(body: AccessRole, before?: AzureIdentity): AzureIdentity {
  const appId = body.platformAzureAppId ?? before?.appId;
  const servicePrincipalId = body.servicePrincipalId ?? before?.servicePrincipalId;
  const tenantId = body.tenantId ?? before?.tenantId;
  if (appId === undefined) throw generalFaults.MISSING_ATTRIBUTE('platformAzureAppId');
  if (servicePrincipalId === undefined) throw generalFaults.MISSING_ATTRIBUTE('servicePrincipalId');
  if (tenantId === undefined) throw generalFaults.MISSING_ATTRIBUTE('tenantId');
  return { provider: 'AZURE', appId, servicePrincipalId, tenantId };
}

/** Throws DUPLICATE_AZURE_SERVICE_PRINCIPAL if another role of the project has the same principal. */
export async function requireNewPrincipal(
  tx: ReadTx,
  { groupId, id, identity }: { readonly groupId: string; readonly id: string; readonly identity: Identity },
): Promise<void> {
  if (identity.provider !== 'AZURE') return;
  const others = (await rolesOf(tx, groupId)).filter((row) => row.id !== id);
  if (others.some((row) => hasPrincipal(row.identity, identity)))
    throw providerAccessFaults.DUPLICATE_AZURE_SERVICE_PRINCIPAL(identity.servicePrincipalId);
}

/** UUIDs are equal in either case. */
function hasPrincipal(one: Identity, { servicePrincipalId, tenantId }: AzureIdentity): boolean {
  if (one.provider !== 'AZURE') return false;
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return isSame(one.servicePrincipalId, servicePrincipalId) && isSame(one.tenantId, tenantId);
}

/** Fields specific to a provider. */
const fieldsOf = {
  AWS: ['iamAssumedRoleArn'],
  AZURE: ['platformAzureAppId', 'servicePrincipalId', 'tenantId'],
  GCP: [],
} as const;

/** Throws for a field of another provider. */
export function checkFields(body: AccessRole): void {
  const own: readonly string[] = fieldsOf[body.providerName];
  for (const name of Object.values(fieldsOf).flat()) {
    if (body[name] != null && !own.includes(name)) throw generalFaults.INVALID_ATTRIBUTE(name);
  }
}

/** Validates the ARN of an AWS role. An authorized role cannot get another ARN. */
export function readRoleArn(arn: string | null | undefined, before: RoleRow): string {
  if (arn == null) throw generalFaults.MISSING_ATTRIBUTE('iamAssumedRoleArn');
  if (!ROLE_ARN.test(arn)) throw providerAccessFaults.CANNOT_ASSUME_ROLE(arn);
  const { identity } = before;
  if (identity.provider === 'AWS' && identity.roleArn !== undefined && identity.roleArn !== arn)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_ALREADY_AUTHORIZED(before.id, identity.roleArn);
  return arn;
}
