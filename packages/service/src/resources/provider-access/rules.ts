import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { providerAccessFaults } from './faults.ts';
import { type AzureIdentity, findRole, type Identity, type RoleRow, rolesOf } from './rows.ts';
import type { AccessRole } from './schema.ts';

/** Maximum number of roles of a project. A response lists all of them. */
const MAX_ROLES = 100;

/** Throws if a project has the maximum number of roles. */
export async function requireRoom(tx: ReadTx, groupId: string): Promise<void> {
  if ((await rolesOf(tx, groupId)).length >= MAX_ROLES)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLES_LIMIT_EXCEEDED(MAX_ROLES);
}

/** Matches `arn:partition:iam::account:role/path/name`. Paths and names have the characters that IAM allows. */
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/;

/** Returns a role of the project. Throws CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND. */
export async function requireAccessRole(tx: ReadTx, groupId: string, roleId: string): Promise<RoleRow> {
  const row = await findRole(tx, groupId, roleId);
  if (!row) throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND(roleId);
  return row;
}

/** Applies a body to the principal of an Azure role. Throws for missing fields. */
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

/** Whether two principals are the same. UUIDs are compared without regard to case. */
function hasPrincipal(one: Identity, { servicePrincipalId, tenantId }: AzureIdentity): boolean {
  if (one.provider !== 'AZURE') return false;
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return isSame(one.servicePrincipalId, servicePrincipalId) && isSame(one.tenantId, tenantId);
}

/** The fields of roles that only one provider has. */
const fieldsOf = {
  AWS: ['iamAssumedRoleArn'],
  AZURE: ['platformAzureAppId', 'servicePrincipalId', 'tenantId'],
  GCP: [],
} as const;

/** Throws for a field that belongs to another provider. */
export function checkFields(body: AccessRole): void {
  const own: readonly string[] = fieldsOf[body.providerName];
  for (const name of Object.values(fieldsOf).flat()) {
    if (body[name] != null && !own.includes(name)) throw generalFaults.INVALID_ATTRIBUTE(name);
  }
}

/** Validates the ARN for an AWS role. Throws if the role is already authorized with another ARN. */
export function readRoleArn(arn: string | null | undefined, before: RoleRow): string {
  if (arn == null) throw generalFaults.MISSING_ATTRIBUTE('iamAssumedRoleArn');
  if (!ROLE_ARN.test(arn)) throw providerAccessFaults.CANNOT_ASSUME_ROLE(arn);
  const { identity } = before;
  if (identity.provider === 'AWS' && identity.roleArn !== undefined && identity.roleArn !== arn)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_ALREADY_AUTHORIZED(before.id, identity.roleArn);
  return arn;
}
