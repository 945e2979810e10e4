import { assumeRole } from '../../objects/assume-role.ts';
import type { AzurePlace } from '../../objects/azure.ts';
import { BucketError } from '../../objects/object-store.ts';
import type { S3Credentials } from '../../objects/s3.ts';
import type { Clouds } from '../services.ts';
import type { AwsIdentity, AzureIdentity, Identity } from './rows.ts';
import { providerAccessFaults } from './rules.ts';

/** The name of the service in the audit trails of others. */
const SESSION = 'portolan';

/** Throws CANNOT_ASSUME_ROLE where a token service does not let the service have a role of AWS. */
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
 * Those of a role of AWS, from the token service that the settings name; undefined without one: then they are those that
 * the service itself finds in its environment or its profile.
 */
export function awsCredentials(
  { stsUrl }: Clouds,
  { roleArn, externalId }: AwsIdentity,
): (() => Promise<S3Credentials>) | undefined {
  if (stsUrl === undefined || roleArn === undefined) return undefined;
  return () => assumeRole({ endpoint: stsUrl, roleArn, externalId, sessionName: SESSION });
}

/** Those for a storage account: its key, or the secret of the application that a role names. */
export function azureCredentials(
  { azureStorageKey, azureClientSecret }: Clouds,
  { tenantId, appId }: AzureIdentity,
  account: string,
): AzurePlace['credentials'] {
  if (azureStorageKey !== undefined) return { account, key: azureStorageKey };
  if (azureClientSecret !== undefined) return { tenantId, clientId: appId, clientSecret: azureClientSecret };
  throw new BucketError('denied', 'there are neither --azure-client-secret nor --azure-storage-key');
}
