import type { ContainerClient, RestError } from '@azure/storage-blob';
import { type AzureApplication, applicationCredential } from './azure-token.ts';
import { type FailedRequest, withBucketErrors } from './bucket-errors.ts';
import { loadLibrary } from './library.ts';
import { DEFAULT_RETRY, type ObjectStore, type RetryOptions } from './object-store.ts';

/** The key of a storage account. */
interface AzureKey {
  readonly account: string;
  readonly key: string;
}

/** A container of a storage account. */
export interface AzurePlace {
  /** The URL of the account: `https://account.blob.core.windows.net`. */
  readonly serviceUrl: string;
  readonly container: string;
  readonly credentials: AzureKey | AzureApplication;
}

const LIBRARY = '@azure/storage-blob';
/** First pause before a retry; later pauses are longer. The library's default is four seconds. */
const FIRST_PAUSE_MS = 200;

const load = () => loadLibrary(LIBRARY, () => import('@azure/storage-blob'));

/** Stores objects in an Azure Blob Storage container. Rejects with a `BucketError`. */
export function azureStore(place: AzurePlace, retry: RetryOptions = DEFAULT_RETRY): ObjectStore {
  let opened: Promise<ContainerClient> | undefined;
  const client = () => {
    opened ??= open(place, retry);
    return opened;
  };
  /** The library passes its timeouts to the server, but does not enforce them. */
  const bounded = () => ({ abortSignal: AbortSignal.timeout(retry.timeoutMs * retry.attempts) });
  const bucket = { kind: 'container', name: place.container } as const;
  return withBucketErrors({ put, get, list, delete: remove }, bucket, failureOf);

  async function put(key: string, content: Uint8Array): Promise<void> {
    await (await client()).getBlockBlobClient(key).uploadData(content, bounded());
  }

  async function get(key: string): Promise<Uint8Array | undefined> {
    const blob = (await client()).getBlobClient(key);
    try {
      return await blob.downloadToBuffer(0, undefined, bounded());
    } catch (error) {
      if ((error as RestError).statusCode === 404 && codeOf(error) !== 'ContainerNotFound') return undefined;
      throw error;
    }
  }

  async function list(prefix: string): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for await (const item of (await client()).listBlobsByHierarchy('/', { prefix, ...bounded() })) {
      if (item.kind === 'blob') found.set(item.name.slice(prefix.length), item.properties.contentLength ?? 0);
    }
    return found;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await (await client()).getBlobClient(key).deleteIfExists(bounded());
  }
}

async function open(place: AzurePlace, { timeoutMs, attempts }: RetryOptions): Promise<ContainerClient> {
  const { ContainerClient: Client, StorageSharedKeyCredential } = await load();
  const { serviceUrl, container, credentials } = place;
  const credential =
    'key' in credentials
      ? new StorageSharedKeyCredential(credentials.account, credentials.key)
      : applicationCredential(credentials, timeoutMs);
  const retryOptions = { maxTries: attempts, tryTimeoutInMs: timeoutMs, retryDelayInMs: FIRST_PAUSE_MS };
  return new Client(`${serviceUrl}/${container}`, credential, { retryOptions });
}

function codeOf(error: unknown): string {
  const { details, code } = error as RestError & { details?: { errorCode?: string } };
  return details?.errorCode ?? code ?? (error as Error).name;
}

function failureOf(error: Error): FailedRequest {
  return { status: (error as RestError).statusCode, reason: codeOf(error) };
}
