import type { AwsIdentity, AzureIdentity, GcpIdentity, RoleRow } from './rows.ts';
import type { RoleUsage } from './usages.ts';

/**
 * The account that the trust policies of AWS roles must name, as the API shows it. No such account exists. The service
 * sends requests with the credentials with which it was started.
 */
const ACCOUNT = 'arn:aws:iam::000000000000:root';

type Row<I> = Omit<RoleRow, 'identity'> & { readonly identity: I; readonly usages: readonly RoleUsage[] };

const presentAws = ({ id, created, authorized, identity, usages }: Row<AwsIdentity>) => ({
  providerName: 'AWS' as const,
  createdDate: created,
  featureUsages: [...usages],
  roleId: id,
  authorizedDate: authorized ?? null,
  iamAssumedRoleArn: identity.roleArn ?? null,
  platformAWSAccountArn: ACCOUNT,
  platformAssumedRoleExternalId: identity.externalId,
});

const presentAzure = ({ id, created, updated, identity, usages }: Row<AzureIdentity>) => ({
  providerName: 'AZURE' as const,
  createdDate: created,
  featureUsages: [...usages],
  _id: id,
  lastUpdatedDate: updated,
  platformAzureAppId: identity.appId,
  servicePrincipalId: identity.servicePrincipalId,
  tenantId: identity.tenantId,
});

const presentGcp = ({ id, created, identity, usages }: Row<GcpIdentity>) => ({
  providerName: 'GCP' as const,
  createdDate: created,
  featureUsages: [...usages],
  roleId: id,
  gcpServiceAccountForPlatform: identity.serviceAccount,
  status: 'COMPLETE' as const,
});

/** Presents a role with the fields that its provider requires. */
export function presentRole({ identity, ...row }: RoleRow, usages: readonly RoleUsage[]) {
  if (identity.provider === 'AWS') return presentAws({ ...row, usages, identity });
  if (identity.provider === 'AZURE') return presentAzure({ ...row, usages, identity });
  return presentGcp({ ...row, usages, identity });
}

export function presentByProvider(
  rows: readonly RoleRow[],
  usages: ReadonlyMap<string, readonly RoleUsage[]>,
) {
  const shown = rows.map((row) => presentRole(row, usages.get(row.id) ?? []));
  return {
    awsIamRoles: shown.filter((role) => role.providerName === 'AWS'),
    azureServicePrincipals: shown.filter((role) => role.providerName === 'AZURE'),
    gcpServiceAccounts: shown.filter((role) => role.providerName === 'GCP'),
  };
}
