import { azureStore } from '../../../objects/azure.ts';
import { gcsStore } from '../../../objects/gcs.ts';
import { BucketError, type ObjectStore } from '../../../objects/object-store.ts';
import { type S3Place, s3Region, s3Store } from '../../../objects/s3.ts';
import type { ReadTx } from '../../../store/index.ts';
import { awsCredentials, azureCredentials, findRole, type RoleRow } from '../../provider-access/index.ts';
import type { Clouds } from '../../services.ts';
import { bucketFaults } from './faults.ts';
import { type BucketLocation, pageOfBuckets } from './rows.ts';

/**
 * Key of an empty object. The service writes it to check that it can write to a bucket: when the bucket is added, and
 * when an export begins.
 */
const PROBE = 'exported_snapshots/.permissioncheck';

/** Opens a bucket with the credentials of its access role. */
export function bucketStore(clouds: Clouds, place: BucketLocation, { identity }: RoleRow): ObjectStore {
  const { bucketName: bucket, azure } = place;
  if (identity.provider === 'AZURE' && azure !== undefined) {
    const { serviceUrl, account } = azure;
    const credentials = azureCredentials(clouds, identity, account);
    return azureStore({ serviceUrl, container: bucket, credentials });
  }
  if (identity.provider === 'GCP') return gcsStore({ bucket });
  if (identity.provider !== 'AWS') throw new BucketError('absent', `the bucket ${bucket} has no service URL`);
  return s3Store(s3Place(clouds, bucket, identity));
}

function s3Place(clouds: Clouds, bucket: string, identity: Parameters<typeof awsCredentials>[1]): S3Place {
  const { s3Url: endpoint } = clouds;
  const credentials = awsCredentials(clouds, identity);
  return {
    bucket,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** Opens the oldest export bucket of a project; undefined if the project has no export bucket. */
export async function firstBucket(
  tx: ReadTx,
  clouds: Clouds,
  groupId: string,
): Promise<ObjectStore | undefined> {
  const { rows } = await pageOfBuckets(tx, groupId, { itemsPerPage: 1, pageNum: 1 });
  const [bucket] = rows;
  const role = bucket && (await findRole(tx, groupId, bucket.facts.roleId));
  return bucket && role && bucketStore(clouds, bucket.facts, role);
}

/** Returns the region of an AWS bucket. Undefined for other providers, and if the bucket does not report a region. */
export async function regionOfBucket(
  clouds: Clouds,
  { bucketName }: BucketLocation,
  { identity }: RoleRow,
): Promise<string | undefined> {
  return identity.provider === 'AWS' ? s3Region(s3Place(clouds, bucketName, identity)) : undefined;
}

/** Throws a `BucketError` if the bucket is not writable. */
export async function probe(clouds: Clouds, place: BucketLocation, role: RoleRow): Promise<void> {
  await bucketStore(clouds, place, role).put(PROBE, new Uint8Array(0));
}

/** Checks that the bucket is writable. Throws EXPORT_BUCKET_NAME_INVALID with the reason if it is not. */
export async function checkWritable(clouds: Clouds, place: BucketLocation, role: RoleRow): Promise<void> {
  try {
    await probe(clouds, place, role);
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    throw bucketFaults.EXPORT_BUCKET_NAME_INVALID(place.bucketName, error.message);
  }
}
