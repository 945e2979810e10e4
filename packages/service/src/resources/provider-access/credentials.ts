import { assumeRole } from '../../objects/assume-role.ts';
import type { AzurePlace } from '../../objects/azure.ts';
import { BucketError } from '../../objects/object-store.ts';
import type { S3Credentials } from '../../objects/s3.ts';
import type { Clouds } from '../services.ts';
import { providerAccessFaults } from './faults.ts';
import type { AwsIdentity, AzureIdentity, Identity } from './rows.ts';

/** Name of the service's sessions in audit logs of the provider. */
const SESSION = 'portolan';

/** Throws CANNOT_ASSUME_ROLE if the STS (security token service) issues no credentials for an AWS role. */
export async function checkAssumable(clouds: Clouds, identity: Identity): Promise<void> {
  if (identity.provider !== 'AWS' || identity.roleArn === undefined) return;
  try {
    await awsCredentials(clouds, identity)?.();
  } catch (error) {
    if (error instanceof BucketError) throw providerAccessFaults.CANNOT_ASSUME_ROLE(identity.roleArn);
    throw error;
  }
}

/**
 * Returns credentials of an AWS role from the configured STS endpoint. Returns undefined if no endpoint is configured.
 * The service then uses its own credentials, which come from the environment or the AWS profile.
 */
export function awsCredentials(
  { stsUrl }: Clouds,
  { roleArn, externalId }: AwsIdentity,
): (() => Promise<S3Credentials>) | undefined {
  if (stsUrl === undefined || roleArn === undefined) return undefined;
  return () => assumeRole({ endpoint: stsUrl, roleArn, externalId, sessionName: SESSION });
}

/** Returns credentials for a storage account: the account's key, or the client secret of the role's application. */
export function azureCredentials(
  { azureStorageKey, azureClientSecret }: Clouds,
  { tenantId, appId }: AzureIdentity,
  account: string,
): AzurePlace['credentials'] {
  if (azureStorageKey !== undefined) return { account, key: azureStorageKey };
  if (azureClientSecret !== undefined) return { tenantId, clientId: appId, clientSecret: azureClientSecret };
  throw new BucketError('denied', 'neither --azure-client-secret nor --azure-storage-key is set');
}
