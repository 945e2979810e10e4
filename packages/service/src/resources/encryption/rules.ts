import { generalFaults } from '../../api/faults.ts';
import { mask } from '../../api/schema/mask.ts';
import {
  type EncryptionSettings,
  type KeyProvider,
  keyProviders,
  type ProviderKind,
  type ProviderSettings,
} from './providers.ts';
import type { Secrets } from './rows.ts';
import type { KeyProviders } from './schema.ts';

/** Settings with the secrets in clear text. */
export interface KeyConfiguration {
  readonly settings: EncryptionSettings;
  readonly secrets: Secrets;
}

/** Applies a body to the settings; absent fields stay unchanged. Throws for missing or unsupported values. */
export function mergeConfiguration(before: KeyConfiguration, body: KeyProviders): KeyConfiguration {
  const settings: { [P in KeyProvider]?: ProviderSettings } = { ...before.settings };
  const secrets: { [P in KeyProvider]?: string } = { ...before.secrets };
  for (const kind of keyProviders) {
    const sent: Sent | undefined = body[kind.field];
    if (sent === undefined) continue;
    const former = settings[kind.provider];
    const next = mergeFields(kind, former?.fields ?? {}, sent, secrets[kind.provider]);
    if (next.secret !== undefined) secrets[kind.provider] = next.secret;
    settings[kind.provider] = { enabled: sent.enabled ?? former?.enabled ?? false, fields: next.fields };
    checkComplete(kind, settings[kind.provider]);
  }
  return { settings, secrets };
}

type Sent = Readonly<Record<string, string | boolean | undefined>> & { readonly enabled?: boolean };

function mergeFields(
  { field, secret: name }: ProviderKind,
  former: ProviderSettings['fields'],
  sent: Sent,
  known: string | undefined,
) {
  if (sent.requirePrivateNetworking === true)
    throw generalFaults.INVALID_ATTRIBUTE(`${field}.requirePrivateNetworking`);
  const texts = Object.entries(sent).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const fields = { ...former, ...Object.fromEntries(texts) };
  const value = fields[name];
  if (value === undefined || value === former[name]) return { fields, secret: known };
  if (/^\*{8}/.test(value)) throw generalFaults.INVALID_ATTRIBUTE(`${field}.${name}`);
  return { fields: { ...fields, [name]: mask('secret', value) }, secret: value };
}

/** Throws if an enabled provider lacks required fields. */
function checkComplete(
  { field, required, credentials }: ProviderKind,
  settings: ProviderSettings | undefined,
): void {
  if (!settings?.enabled) return;
  const wanted = settings.fields.roleId === undefined ? [...required, ...credentials] : required;
  const missing = wanted.find((name) => settings.fields[name] === undefined);
  if (missing !== undefined) throw generalFaults.MISSING_ATTRIBUTE(`${field}.${missing}`);
}
