import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { inBatches } from '@portolan/foundation/in-batches';
import { type FailedRequest, withBucketErrors } from './bucket-errors.ts';
import { loadLibrary } from './library.ts';
import { DEFAULT_RETRY, type ObjectStore, type RetryOptions } from './object-store.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When the credentials expire; they are renewed shortly before. */
  readonly expiration?: Date;
}

/** A bucket, or the objects of a bucket below a prefix. */
export interface S3Place {
  readonly bucket: string;
  /** Prefix of all keys; ends with a slash. */
  readonly prefix?: string;
  /**
   * The URL of an S3-compatible service. The default is the URL in the environment or the profile, or else Amazon's
   * URL.
   */
  readonly endpoint?: string;
  /**
   * The region of the bucket; by default from the environment or profile, or else us-east-1. Redirects to the region of
   * the bucket are followed.
   */
  readonly region?: string;
  /** Whether URLs have the bucket in the path instead of the host name; by default only with an `endpoint`. */
  readonly pathStyle?: boolean;
  /** The credentials. By default, the library takes them from the environment, the profile or the machine's role. */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>);
  /**
   * A profile in the files below `~/.aws`. The default is the profile that the environment names, or else the profile
   * `default`.
   */
  readonly profile?: string;
}

const LIBRARY = '@aws-sdk/client-s3';
const FALLBACK_REGION = 'us-east-1';
/** Maximum number of keys in a request. */
const MAX_DELETED = 1000;

const load = () => loadLibrary(LIBRARY, () => import('@aws-sdk/client-s3'));

/** Stores objects in a bucket of Amazon S3 or of a compatible service. Rejects with a `BucketError`. */
export function s3Store(place: S3Place, retry: RetryOptions = DEFAULT_RETRY): ObjectStore {
  const { bucket: Bucket, prefix = '' } = place;
  let opened: Promise<S3Client> | undefined;
  const client = () => {
    opened ??= open(place, retry);
    return opened;
  };
  const named = { kind: 'bucket', name: Bucket } as const;
  return withBucketErrors({ put, get, list, delete: remove }, named, failureOf);

  async function put(key: string, Body: Uint8Array): Promise<void> {
    const { PutObjectCommand } = await load();
    await (await client()).send(new PutObjectCommand({ Bucket, Key: prefix + key, Body }));
  }

  async function get(key: string): Promise<Uint8Array | undefined> {
    const { GetObjectCommand, NoSuchKey } = await load();
    try {
      const { Body } = await (await client()).send(new GetObjectCommand({ Bucket, Key: prefix + key }));
      return await Body?.transformToByteArray();
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async function list(below: string): Promise<ReadonlyMap<string, number>> {
    const Prefix = prefix + below;
    const { paginateListObjectsV2 } = await load();
    const found = new Map<string, number>();
    const pages = paginateListObjectsV2({ client: await client() }, { Bucket, Prefix, Delimiter: '/' });
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0 } of Contents) {
        if (Key.length > Prefix.length) found.set(Key.slice(Prefix.length), Size);
      }
    }
    return found;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    const { DeleteObjectsCommand } = await load();
    for (const batch of inBatches(keys, MAX_DELETED)) {
      const Objects = batch.map((key) => ({ Key: prefix + key }));
      const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
      const { Errors: [first] = [] } = await (await client()).send(command);
      if (first)
        throw Object.assign(new Error(first.Message ?? 'an object was not deleted'), {
          name: first.Code ?? 'Error',
        });
    }
  }
}

/**
 * Returns the region of a bucket; undefined if the request fails, for example because the credentials do not
 * permit it.
 */
export async function s3Region(
  place: S3Place,
  retry: RetryOptions = DEFAULT_RETRY,
): Promise<string | undefined> {
  const { HeadBucketCommand } = await load();
  const client = await open(place, retry);
  try {
    const { BucketRegion } = await client.send(new HeadBucketCommand({ Bucket: place.bucket }));
    // Some compatible services omit the region. Use the configured region then.
    return BucketRegion ?? (await client.config.region());
  } catch {
    return undefined;
  }
}

async function open(place: S3Place, { timeoutMs, attempts }: RetryOptions): Promise<S3Client> {
  const { S3Client: Client } = await load();
  const { endpoint, region, credentials, profile, pathStyle = endpoint !== undefined } = place;
  const config: S3ClientConfig = {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(profile === undefined ? {} : { profile }),
    ...(credentials === undefined ? {} : { credentials }),
    forcePathStyle: pathStyle,
    followRegionRedirects: true,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
    // Some compatible services do not support Amazon's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  return new Client({ ...config, region: region ?? (await configuredRegion(new Client(config))) });
}

/** Returns the region from the environment or profile. The library throws if neither names one. */
async function configuredRegion({ config }: S3Client): Promise<string> {
  return config.region().catch(() => FALLBACK_REGION);
}

function failureOf(error: Error): FailedRequest {
  const { httpStatusCode: status } =
    '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }) : {};
  return { status, reason: error.name, denied: deniedBy(error.name) };
}

function deniedBy(name: string): FailedRequest['denied'] {
  if (REFUSALS.has(name)) return 'access';
  return name === 'CredentialsProviderError' ? 'credentials' : undefined;
}

/** Error codes in the body of a successful response, for example for one of many objects to delete. */
const REFUSALS: ReadonlySet<string> = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
]);
