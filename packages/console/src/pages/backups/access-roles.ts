import { type GroupPath, useDocument } from '../../api/resources.ts';

export const providers = ['AWS', 'AZURE', 'GCP'];

/** A role of the service at a cloud provider. */
export interface AccessRole {
  readonly id: string;
  readonly providerName: string;
  readonly featureUsages?: readonly { readonly featureType: string }[];
  readonly iamAssumedRoleArn?: string | null;
  readonly platformAWSAccountArn?: string;
  readonly platformAssumedRoleExternalId?: string;
  readonly servicePrincipalId?: string;
  readonly tenantId?: string;
  readonly gcpServiceAccountForPlatform?: string;
}

/** Returns the id of a role. Providers have different names for it. */
function idOf(role: { readonly roleId?: string; readonly _id?: string }): string {
  return role.roleId ?? role._id ?? '';
}

/** Reads the access roles of a project at all providers. */
export function useAccessRoles(group: GroupPath) {
  const { data, error } = useDocument(`${group}/cloudProviderAccess`);
  const listed = data && [...data.awsIamRoles, ...data.azureServicePrincipals, ...data.gcpServiceAccounts];
  return {
    roles: listed?.map((role): AccessRole => ({ ...role, id: idOf(role) })),
    error,
  };
}

/** Whether the service can use a role. It can use an AWS role only after the role is authorized. */
export const isUsable = ({ providerName, iamAssumedRoleArn }: AccessRole): boolean =>
  providerName !== 'AWS' || (iamAssumedRoleArn ?? null) !== null;

/** Returns the text that identifies a role at its provider. */
export const roleText = (role: AccessRole): string =>
  role.iamAssumedRoleArn ?? role.servicePrincipalId ?? role.gcpServiceAccountForPlatform ?? role.id;
