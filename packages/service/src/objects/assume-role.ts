import { loadLibrary } from './library.ts';
import { BucketError, PATIENCE, type Patience } from './object-store.ts';
import type { S3Credentials } from './s3.ts';

/** A role, and by whom it may be assumed. */
export interface AssumedRole {
  /** Of the token service. */
  readonly endpoint: string;
  readonly roleArn: string;
  /** What the trust policy of the role asks for. */
  readonly externalId: string;
  /** By which name the requests go into the audit trail of the role's account. */
  readonly sessionName: string;
}

/** It is signed for this one; a token service answers in all. */
const REGION = 'us-east-1';

const load = () => loadLibrary('@aws-sdk/client-sts', () => import('@aws-sdk/client-sts'));

/**
 * Credentials of a role of AWS, for an hour; asked for with those of the service, which the library finds in the
 * environment. Throws a `BucketError`.
 */
export async function assumeRole(role: AssumedRole, patience: Patience = PATIENCE): Promise<S3Credentials> {
  const { STSClient, AssumeRoleCommand } = await load();
  const { endpoint, roleArn, externalId, sessionName } = role;
  const client = new STSClient({
    endpoint,
    region: REGION,
    maxAttempts: patience.attempts,
    requestHandler: { requestTimeout: patience.timeoutMs, throwOnRequestTimeout: true },
  });
  try {
    const asked = { RoleArn: roleArn, ExternalId: externalId, RoleSessionName: sessionName };
    const { Credentials: given } = await client.send(new AssumeRoleCommand(asked));
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey } = given ?? {};
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new BucketError('unavailable', 'the token service answers without credentials');
    return {
      accessKeyId,
      secretAccessKey,
      ...(given?.SessionToken === undefined ? {} : { sessionToken: given.SessionToken }),
      ...(given?.Expiration === undefined ? {} : { expiration: given.Expiration }),
    };
  } catch (error) {
    throw told(roleArn, error);
  } finally {
    client.destroy();
  }
}

function told(roleArn: string, error: unknown): unknown {
  if (error instanceof BucketError || !(error instanceof Error)) return error;
  const { httpStatusCode: status = 500 } =
    '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }) : {};
  const denied = status < 500 || error.name === 'CredentialsProviderError';
  const message = `the role ${roleArn} cannot be assumed (${error.name})`;
  return new BucketError(denied ? 'denied' : 'unavailable', message, { cause: error });
}
