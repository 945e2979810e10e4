import type { KeyFolder } from '@portolan/foundation/keys/key-folder';
import { unwrapKey, wrapKey } from '@portolan/foundation/keys/wrapped-key';
import type { ReadTx } from '../../store/index.ts';
import { type EncryptionSettings, enabledKeys } from './providers.ts';
import { type NamedKey, namedKey } from './rows.ts';

/** What a probe holds says nothing: whether it can be opened does. */
const NOTHING = new Uint8Array(32);

/** The keys that settings name and that may be used, as they were named first. */
export async function keysIn(tx: ReadTx, settings: EncryptionSettings): Promise<NamedKey[]> {
  const ids = [...enabledKeys(settings).values()];
  return Promise.all(ids.map(async (id) => (await namedKey(tx, id)) ?? { id, probe: undefined }));
}

/** Makes a key where there is none, and has it seal something. */
export async function makeKey(keys: KeyFolder, id: string): Promise<NamedKey> {
  await keys.make(id);
  return { id, probe: (await wrapKey(keys, NOTHING, id)).wrapped };
}

/** Those that can open what they have sealed: one that is missing, or another in its place, cannot. */
export async function validAmong(
  keys: KeyFolder,
  named: readonly NamedKey[],
): Promise<ReadonlyMap<string, boolean>> {
  const tried = named.map(async (key) => [key.id, await isValid(keys, key)] as const);
  return new Map(await Promise.all(tried));
}

async function isValid(keys: KeyFolder, { id, probe }: NamedKey): Promise<boolean> {
  try {
    if (probe === undefined) await keys.box(id);
    else await unwrapKey(keys, { masterKey: id, wrapped: probe });
    return true;
  } catch {
    return false;
  }
}
