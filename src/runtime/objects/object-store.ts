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
}
