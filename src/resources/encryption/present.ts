import type { KeyFolder } from '../../runtime/keys/key-folder.ts';
import { type EncryptionSettings, keyProviders, masterKeyOf } from './providers.ts';
import type { KeyProviders } from './schema.ts';

/** The settings as callers read them. A key is valid that is in the key folder at this moment. */
export function presentKeys(settings: EncryptionSettings, keys: KeyFolder): KeyProviders {
  const shown = keyProviders.map((kind) => {
    const own = settings[kind.provider];
    if (own === undefined) return [kind.field, { enabled: false }];
    const key = masterKeyOf(kind, own);
    const valid = own.enabled ? { valid: key !== undefined && keys.has(key) } : {};
    const defaults = kind.provider === 'AZURE' ? { azureEnvironment: 'AZURE' } : {};
    return [
      kind.field,
      { ...defaults, ...own.fields, enabled: own.enabled, requirePrivateNetworking: false, ...valid },
    ];
  });
  return Object.fromEntries(shown);
}
