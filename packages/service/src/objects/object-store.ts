/**
 * A key-value store for bytes, such as a folder or bucket. Keys are names separated by slashes:
 * `a1b2/chunks/ffee`.
 */
export interface ObjectStore {
  /** Resolves when the content is durable; readers see either the old or the new content. */
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Names directly below a prefix that ends with a slash, with their sizes in bytes. */
  list(prefix: string): Promise<ReadonlyMap<string, number>>;
  /** Removes those of the keys that exist. */
  delete(keys: readonly string[]): Promise<void>;
  /**
   * Removes remains of interrupted writes below a prefix that nothing writes to meanwhile. Absent if writes leave none.
   */
  tidy?(prefix: string): Promise<void>;
}

/**
 * Why a request to a bucket or folder failed. `denied`: credentials are missing or rejected; `absent`: the bucket does
 * not exist; `missing library`: its client is not installed; `full`: no space is left; `unavailable`: it fails or does
 * not respond. Only the last two are worth a retry.
 */
type BucketErrorKind = 'denied' | 'absent' | 'missing library' | 'full' | 'unavailable';

/** The error of stores. Messages contain no secrets and no local paths, and can be shown to callers. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  readonly trouble: BucketErrorKind;

  constructor(trouble: BucketErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** Whether a retry is pointless. */
export function isLasting({ trouble }: BucketError): boolean {
  return trouble !== 'unavailable' && trouble !== 'full';
}

/** The timeout of a request to a bucket, and the number of attempts. */
export interface RetryOptions {
  readonly timeoutMs: number;
  readonly attempts: number;
}

export const DEFAULT_RETRY: RetryOptions = { timeoutMs: 30_000, attempts: 3 };
