import { loadLibrary } from './library.ts';
import { BucketError, DEFAULT_RETRY, type RetryOptions } from './object-store.ts';
import type { S3Credentials } from './s3.ts';

/** An AWS role and the parameters for assuming it. */
export interface AssumedRole {
  /** The URL of the token service. */
  readonly endpoint: string;
  readonly roleArn: string;
  /** The external id of the role's trust policy. */
  readonly externalId: string;
  /** The session name, which appears in the audit log of the role's account. */
  readonly sessionName: string;
}

/** The region of the signature. A token service accepts any region. */
const REGION = 'us-east-1';

const load = () => loadLibrary('@aws-sdk/client-sts', () => import('@aws-sdk/client-sts'));

/**
 * Returns credentials of an AWS role for one hour, using the service's own credentials from the environment.
 * Throws a `BucketError`.
 */
export async function assumeRole(
  role: AssumedRole,
  retry: RetryOptions = DEFAULT_RETRY,
): Promise<S3Credentials> {
  const { STSClient, AssumeRoleCommand } = await load();
  const { endpoint, roleArn, externalId, sessionName } = role;
  const client = new STSClient({
    endpoint,
    region: REGION,
    maxAttempts: retry.attempts,
    requestHandler: { requestTimeout: retry.timeoutMs, throwOnRequestTimeout: true },
  });
  try {
    const request = { RoleArn: roleArn, ExternalId: externalId, RoleSessionName: sessionName };
    const { Credentials: given } = await client.send(new AssumeRoleCommand(request));
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey } = given ?? {};
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new BucketError('unavailable', 'the token service returned no credentials');
    return {
      accessKeyId,
      secretAccessKey,
      ...(given?.SessionToken === undefined ? {} : { sessionToken: given.SessionToken }),
      ...(given?.Expiration === undefined ? {} : { expiration: given.Expiration }),
    };
  } catch (error) {
    throw bucketErrorOf(roleArn, error);
  } finally {
    client.destroy();
  }
}

function bucketErrorOf(roleArn: string, error: unknown): unknown {
  if (error instanceof BucketError || !(error instanceof Error)) return error;
  const { httpStatusCode: status = 500 } =
    '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }) : {};
  const denied = status < 500 || error.name === 'CredentialsProviderError';
  const message = `the role ${roleArn} cannot be assumed (${error.name})`;
  return new BucketError(denied ? 'denied' : 'unavailable', message, { cause: error });
}
