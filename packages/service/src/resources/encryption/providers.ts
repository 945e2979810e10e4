import { createHash } from 'node:crypto';
import type { KeyProviders } from './schema.ts';

/** Key providers, under the names that clusters use. */
export type KeyProvider = 'AWS' | 'AZURE' | 'GCP';

type ProviderField = 'awsKms' | 'azureKeyVault' | 'googleCloudKms';

type Fields<F extends ProviderField> = readonly (keyof NonNullable<KeyProviders[F]> & string)[];

interface Kind<F extends ProviderField> {
  readonly provider: KeyProvider;
  readonly field: F;
  /** The field that names the master key. */
  readonly key: Fields<F>[number];
  /** Fields that are required to enable the provider, besides credentials. */
  readonly required: Fields<F>;
  /** Fields that are required if no role is set. */
  readonly credentials: Fields<F>;
  /** The field that responses mask. */
  readonly secret: Fields<F>[number];
}

const kind = <const F extends ProviderField>(of: Kind<F>) => of;

const kinds = [
  kind({
    provider: 'AWS',
    field: 'awsKms',
    key: 'customerMasterKeyID',
    required: ['customerMasterKeyID', 'region'],
    credentials: ['accessKeyID', 'secretAccessKey'],
    secret: 'secretAccessKey',
  }),
  kind({
    provider: 'AZURE',
    field: 'azureKeyVault',
    key: 'keyIdentifier',
    required: ['subscriptionID', 'resourceGroupName', 'keyVaultName', 'keyIdentifier'],
    credentials: ['clientID', 'tenantID', 'secret'],
    secret: 'secret',
  }),
  kind({
    provider: 'GCP',
    field: 'googleCloudKms',
    key: 'keyVersionResourceID',
    required: ['keyVersionResourceID'],
    credentials: ['serviceAccountKey'],
    secret: 'serviceAccountKey',
  }),
] as const;

/** The key providers, with the name of each provider's field in the body. */
export const keyProviders: readonly ProviderKind[] = kinds;

export interface ProviderKind {
  readonly provider: KeyProvider;
  readonly field: ProviderField;
  readonly key: string;
  readonly required: readonly string[];
  readonly credentials: readonly string[];
  readonly secret: string;
}

/**
 * The stored settings of one provider. These settings contain the secret only in masked form. The complete secret is
 * stored separately and encrypted.
 */
export interface ProviderSettings {
  readonly enabled: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

export type EncryptionSettings = { readonly [P in KeyProvider]?: ProviderSettings };

/** Returns the id of the master key in the settings of a provider, even if the provider is disabled. */
export function masterKeyOf({ provider, key }: ProviderKind, settings: ProviderSettings | undefined) {
  const name = settings?.fields[key];
  return name === undefined ? undefined : masterKeyId(provider, name);
}

/** Returns a UUID that is derived from provider and key name (RFC 9562, version 8). */
function masterKeyId(provider: KeyProvider, name: string): string {
  const bytes = createHash('sha256').update(`${provider}\0${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the enabled providers with their master keys. */
export function enabledKeys(settings: EncryptionSettings): ReadonlyMap<KeyProvider, string> {
  const enabled = new Map<KeyProvider, string>();
  for (const each of keyProviders) {
    const own = settings[each.provider];
    const key = own?.enabled ? masterKeyOf(each, own) : undefined;
    if (key !== undefined) enabled.set(each.provider, key);
  }
  return enabled;
}
