import type { KeyFolder } from './key-folder.ts';

/** A key of data as it may lie beside the data. */
export interface WrappedKey {
  /** The id of the master key that unwraps it. */
  readonly masterKey: string;
  /** Base64. */
  readonly wrapped: string;
}

/** Keeps a wrapped key from standing in for anything else that a master key has sealed. */
const CONTEXT = 'key of data';

/** Throws `MasterKeyMissing`. */
export async function wrapKey(keys: KeyFolder, key: Uint8Array, masterKey: string): Promise<WrappedKey> {
  const box = await keys.box(masterKey);
  return { masterKey, wrapped: Buffer.from(box.seal(key, CONTEXT)).toString('base64') };
}

/** Throws where the master key is missing, or another. */
export async function unwrapKey(keys: KeyFolder, { masterKey, wrapped }: WrappedKey): Promise<Uint8Array> {
  const box = await keys.box(masterKey);
  try {
    return new Uint8Array(box.open(Buffer.from(wrapped, 'base64'), CONTEXT));
  } catch {
    throw new Error(`what the master key ${masterKey} has wrapped cannot be read with it: it is another`);
  }
}
