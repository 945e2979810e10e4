/**
 * Where bytes are kept by key, as a folder or a bucket keeps them. Keys are names with slashes between them:
 * `a1b2/chunks/ffee`.
 */
export interface ObjectStore {
  /** Resolves when it is kept; readers see the former content or this one, whole. */
  put(key: string, content: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /** Names below a prefix that ends with a slash, and how many bytes each has; those of deeper folders are left out. */
  list(prefix: string): Promise<ReadonlyMap<string, number>>;
  /** Removes what is there of these. */
  delete(keys: readonly string[]): Promise<void>;
  /** Removes what writes that were cut off have left below a prefix, while nobody writes there. Absent: they leave nothing. */
  tidy?(prefix: string): Promise<void>;
}

/**
 * Why a bucket, or a folder, did not do what it was asked: `denied`, it refuses these credentials, or there are none;
 * `absent`, it is not there; `missing library`, what speaks to it is not installed; `full`, it has no room;
 * `unavailable`, it errs or does not answer. Only the last two may end well when it is tried again.
 */
type BucketTrouble = 'denied' | 'absent' | 'missing library' | 'full' | 'unavailable';

/** Thrown by stores. Messages name no secrets and no paths of the machine, and can be shown. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  readonly trouble: BucketTrouble;

  constructor(trouble: BucketTrouble, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** Whether trying again does not help. */
export function isLasting({ trouble }: BucketError): boolean {
  return trouble !== 'unavailable' && trouble !== 'full';
}

/** How long a bucket may take for one request before it is asked again, and how often it is asked. */
export interface Patience {
  readonly timeoutMs: number;
  readonly attempts: number;
}

export const PATIENCE: Patience = { timeoutMs: 30_000, attempts: 3 };
