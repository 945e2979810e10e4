import type { KeyFolder } from '@portolan/foundation/keys/key-folder';
import { unwrapKey, wrapKey } from '@portolan/foundation/keys/wrapped-key';
import type { ReadTx } from '../../store/index.ts';
import { type EncryptionSettings, enabledKeys } from './providers.ts';
import { findKey, type KnownKey } from './rows.ts';

/**
 * The content of a probe. Its value does not matter, since a check only finds out whether the probe can be decrypted.
 */
const PROBE_CONTENT = new Uint8Array(32);

/** Returns the enabled keys of the settings, with the probe that was recorded when each key was first used. */
export async function keysIn(tx: ReadTx, settings: EncryptionSettings): Promise<KnownKey[]> {
  const ids = [...enabledKeys(settings).values()];
  return Promise.all(ids.map(async (id) => (await findKey(tx, id)) ?? { id, probe: undefined }));
}

/** Creates a key if it does not exist, and encrypts the content of a probe with it. */
export async function createKey(keys: KeyFolder, id: string): Promise<KnownKey> {
  await keys.make(id);
  return { id, probe: (await wrapKey(keys, PROBE_CONTENT, id)).wrapped };
}

/**
 * Returns for each key whether its probe can be decrypted. This fails for a key that is missing or was
 * replaced.
 */
export async function keyValidity(
  keys: KeyFolder,
  named: readonly KnownKey[],
): Promise<ReadonlyMap<string, boolean>> {
  const tried = named.map(async (key) => [key.id, await isValid(keys, key)] as const);
  return new Map(await Promise.all(tried));
}

async function isValid(keys: KeyFolder, { id, probe }: KnownKey): Promise<boolean> {
  try {
    if (probe === undefined) await keys.box(id);
    else await unwrapKey(keys, { masterKey: id, wrapped: probe });
    return true;
  } catch {
    return false;
  }
}
