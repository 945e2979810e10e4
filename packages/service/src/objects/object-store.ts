/**
 * A key-value store for bytes, such as a folder or bucket. Keys are names separated by slashes:
 * `a1b2/chunks/ffee`.
 */
export interface ObjectStore {
  /** Resolves when the content is durable. A reader gets either the old or the new content. */
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Returns the names directly below a prefix that ends with a slash, with their sizes in bytes. */
  list(prefix: string): Promise<ReadonlyMap<string, number>>;
  /** Removes the objects with these keys; ignores missing objects. */
  delete(keys: readonly string[]): Promise<void>;
  /**
   * Removes what interrupted writes left below a prefix. Nothing may write below the prefix at the same time. Absent if
   * interrupted writes leave nothing.
   */
  tidy?(prefix: string): Promise<void>;
}

/**
 * Why a request to a bucket or folder failed:
 * - `denied`: credentials are missing or rejected;
 * - `absent`: the bucket does not exist;
 * - `missing library`: the client library is not installed;
 * - `full`: no space is left;
 * - `unavailable`: the store fails or does not respond.
 * A retry can help only after `full` and `unavailable`.
 */
type BucketErrorKind = 'denied' | 'absent' | 'missing library' | 'full' | 'unavailable';

/** The error that every store throws. Its message contains no secrets and no local paths, so callers may see it. */
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
