import { type EncryptionSettings, keyProviders, masterKeyOf } from './providers.ts';
import type { KeyProviders } from './schema.ts';

/** Presents the settings as callers see them. `valid` says which master keys are usable. */
export function presentKeys(settings: EncryptionSettings, valid: ReadonlyMap<string, boolean>): KeyProviders {
  const shown = keyProviders.map((kind) => {
    const own = settings[kind.provider];
    if (own === undefined) return [kind.field, { enabled: false }];
    const key = masterKeyOf(kind, own);
    const usable = own.enabled ? { valid: key !== undefined && valid.get(key) === true } : {};
    const defaults = kind.provider === 'AZURE' ? { azureEnvironment: 'AZURE' } : {};
    return [
      kind.field,
      { ...defaults, ...own.fields, enabled: own.enabled, requirePrivateNetworking: false, ...usable },
    ];
  });
  return Object.fromEntries(shown);
}
