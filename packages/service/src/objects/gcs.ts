import type { Bucket } from '@google-cloud/storage';
import { type FailedRequest, withBucketErrors } from './bucket-errors.ts';
import { loadLibrary } from './library.ts';
import { DEFAULT_RETRY, type ObjectStore, type RetryOptions } from './object-store.ts';

/** A bucket of Google Cloud Storage. The library takes credentials from the environment. */
export interface GcsPlace {
  readonly bucket: string;
  /** The URL of a compatible service without authentication; by default from the environment. */
  readonly endpoint?: string;
}

/**
 * The checksum by which the library verifies content. Of the two checksums that it offers, Node.js computes only MD5
 * natively.
 */
const CHECK = 'md5';
const LIBRARY = '@google-cloud/storage';

const load = () => loadLibrary(LIBRARY, () => import('@google-cloud/storage'));

/** Stores objects in a bucket of Google Cloud Storage. Rejects with a `BucketError`. */
export function gcsStore(place: GcsPlace, retry: RetryOptions = DEFAULT_RETRY): ObjectStore {
  let opened: Promise<Bucket> | undefined;
  const bucket = () => {
    opened ??= open(place, retry);
    return opened;
  };
  const named = { kind: 'bucket', name: place.bucket } as const;
  return withBucketErrors({ put, get, list, delete: remove }, named, failureOf);

  async function put(key: string, content: Uint8Array): Promise<void> {
    await (await bucket()).file(key).save(Buffer.from(content), { resumable: false, validation: CHECK });
  }

  async function get(key: string): Promise<Uint8Array | undefined> {
    const from = await bucket();
    try {
      const [content] = await from.file(key).download({ validation: CHECK });
      return content;
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      // The response does not tell whether the bucket or the object is missing, so request the metadata of the bucket.
      await from.getMetadata();
      return undefined;
    }
  }

  async function list(prefix: string): Promise<ReadonlyMap<string, number>> {
    const [files] = await (await bucket()).getFiles({ prefix, delimiter: '/' });
    return new Map(files.map(({ name, metadata }) => [name.slice(prefix.length), Number(metadata.size)]));
  }

  async function remove(keys: readonly string[]): Promise<void> {
    const from = await bucket();
    for (const key of keys) await from.file(key).delete({ ignoreNotFound: true });
    if (keys.length > 0) await from.getMetadata();
  }
}

async function open({ bucket, endpoint }: GcsPlace, { timeoutMs, attempts }: RetryOptions): Promise<Bucket> {
  const { Storage, IdempotencyStrategy } = await load();
  const storage = new Storage({
    ...(endpoint === undefined ? {} : { apiEndpoint: endpoint, projectId: 'none' }),
    timeout: timeoutMs,
    retryOptions: {
      maxRetries: attempts - 1,
      totalTimeout: (timeoutMs * attempts) / 1000,
      // A write always replaces a whole object, so any write can be retried.
      idempotencyStrategy: IdempotencyStrategy.RetryAlways,
    },
  });
  return storage.bucket(bucket);
}

function statusOf(error: unknown): number | undefined {
  const { code, status } = error as { code?: unknown; status?: unknown };
  const found = Number(code ?? status);
  return Number.isInteger(found) ? found : undefined;
}

/** The library's message for missing credentials; the error has no code. */
const NO_CREDENTIALS = /Could not load the default credentials/;

function failureOf(error: Error): FailedRequest {
  const status = statusOf(error);
  const denied = NO_CREDENTIALS.test(error.message) ? 'credentials' : undefined;
  return { status, reason: status ?? error.name, denied };
}
