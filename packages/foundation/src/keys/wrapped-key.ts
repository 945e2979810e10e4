import type { KeyFolder } from './key-folder.ts';

/** A data key in its wrapped form, which is stored with the data. */
export interface WrappedKey {
  /** The id of the master key that unwraps the data key. */
  readonly masterKey: string;
  /** The wrapped data key in base64. */
  readonly wrapped: string;
}

/** The context that distinguishes wrapped keys from other values that are sealed with a master key. */
const CONTEXT = 'key of data';

/** Wraps a data key. Throws `MasterKeyMissing`. */
export async function wrapKey(keys: KeyFolder, key: Uint8Array, masterKey: string): Promise<WrappedKey> {
  const box = await keys.box(masterKey);
  return { masterKey, wrapped: Buffer.from(box.seal(key, CONTEXT)).toString('base64') };
}

/** Unwraps a data key. Throws if the master key is missing, or if another master key wrapped the data key. */
export async function unwrapKey(keys: KeyFolder, { masterKey, wrapped }: WrappedKey): Promise<Uint8Array> {
  const box = await keys.box(masterKey);
  try {
    return new Uint8Array(box.open(Buffer.from(wrapped, 'base64'), CONTEXT));
  } catch {
    throw new Error(`the master key ${masterKey} is not the one that wrapped this data key`);
  }
}
