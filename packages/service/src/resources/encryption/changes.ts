import type { SecretBox } from '@portolan/foundation/secret-box';
import { type Actor, system } from '../../events/index.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { recordInProject } from '../projects/index.ts';
import { releaseRole, useRole } from '../provider-access/index.ts';
import { keysChanging } from './hooks.ts';
import {
  type EncryptionSettings,
  enabledKeys,
  type KeyProvider,
  keyProviders,
  type ProviderSettings,
} from './providers.ts';
import {
  findEncryption,
  findKey,
  insertMasterKey,
  type KeyDates,
  type KnownKey,
  type Secrets,
  saveEncryption,
  saveLost,
} from './rows.ts';
import { type KeyConfiguration, mergeConfiguration } from './rules.ts';
import type { KeyProviders } from './schema.ts';

const contextOf = (groupId: string) => `encryption at rest of ${groupId}`;

async function readConfiguration(tx: ReadTx, groupId: string, box: SecretBox): Promise<KeyConfiguration> {
  const row = await findEncryption(tx, groupId);
  if (row === undefined) return { settings: {}, secrets: {} };
  const secrets: Secrets = JSON.parse(box.open(row.secrets, contextOf(groupId)).toString());
  return { settings: row.settings, secrets };
}

interface ProjectContext {
  readonly groupId: string;
  readonly box: SecretBox;
}

/**
 * Returns the master keys that the settings name after a change. `unknown` contains the ids that no project has named
 * before. The caller creates keys for these ids only. A missing key of a known id must not be created again, since a
 * new key could not decrypt existing data.
 */
export async function resolveKeys(
  tx: ReadTx,
  { groupId, box }: ProjectContext,
  body: KeyProviders,
): Promise<{ readonly known: readonly KnownKey[]; readonly unknown: readonly string[] }> {
  const { settings } = mergeConfiguration(await readConfiguration(tx, groupId, box), body);
  const known: KnownKey[] = [];
  const unknown: string[] = [];
  for (const id of new Set(enabledKeys(settings).values())) {
    const key = await findKey(tx, id);
    if (key === undefined) unknown.push(id);
    else known.push(key);
  }
  return { known, unknown };
}

interface KeyChange {
  readonly body: KeyProviders;
  /** The keys that the settings use after the change. */
  readonly named: readonly KnownKey[];
  readonly valid: ReadonlyMap<string, boolean>;
}

/**
 * Applies the fields of a body; absent fields stay unchanged. Throws if a cluster uses a provider that the body
 * disables.
 */
export async function changeKeys(
  tx: Tx,
  actor: Actor,
  { groupId, box }: ProjectContext,
  { body, named, valid }: KeyChange,
): Promise<EncryptionSettings> {
  const before = await readConfiguration(tx, groupId, box);
  const { settings, secrets } = mergeConfiguration(before, body);
  const [former, after] = [enabledKeys(before.settings), enabledKeys(settings)];
  await tx.publish(keysChanging, { groupId, before: former, after });
  await saveEncryption(tx, groupId, {
    settings,
    named: await keyDates(tx, groupId, { former, after }),
    secrets: box.seal(JSON.stringify(secrets), contextOf(groupId)),
  });
  for (const id of after.values()) {
    const key = named.find((one) => one.id === id);
    await insertMasterKey(tx, groupId, key ?? { id, probe: undefined });
  }
  await updateRoleUsage(tx, groupId, before.settings, settings);
  await recordInProject(tx, groupId, { type: 'ENCRYPTION_AT_REST_CONFIGURATION_UPDATED', actor });
  for (const [provider, key] of after) {
    if (former.has(provider) && former.get(provider) !== key)
      await recordInProject(tx, groupId, { type: `${provider}_ENCRYPTION_KEY_ROTATED`, actor });
  }
  await recordValidity(tx, groupId, valid);
  return settings;
}

/**
 * Returns the date on which each key was first named. A provider that is disabled and enabled again with the same key
 * keeps the date of the key.
 */
async function keyDates(
  tx: Tx,
  groupId: string,
  { former, after }: Readonly<Record<'after' | 'former', ReadonlyMap<KeyProvider, string>>>,
): Promise<KeyDates> {
  const dates: KeyDates = (await findEncryption(tx, groupId))?.named ?? {};
  const others = [...after].filter(
    ([provider, key]) => key !== former.get(provider) && key !== dates[provider]?.key,
  );
  const since = tx.now.toISOString();
  return { ...dates, ...Object.fromEntries(others.map(([provider, key]) => [provider, { key, since }])) };
}

/** Records which of a project's keys became valid or invalid. Keys that are not in `valid` keep their status. */
export async function recordValidity(
  tx: Tx,
  groupId: string,
  valid: ReadonlyMap<string, boolean>,
): Promise<void> {
  const row = await findEncryption(tx, groupId);
  if (row === undefined) return;
  const wasLost = (provider: KeyProvider) => row.lost.includes(provider);
  const keys = [...enabledKeys(row.settings)];
  const now = keys.flatMap(([provider, key]) =>
    (valid.has(key) ? valid.get(key) : !wasLost(provider)) ? [] : [provider],
  );
  const record = (type: string) => recordInProject(tx, groupId, { type, actor: system });
  for (const provider of now) if (!wasLost(provider)) await record(`${provider}_ENCRYPTION_KEY_INVALID`);
  for (const provider of row.lost)
    if (!now.includes(provider)) await record(`${provider}_ENCRYPTION_KEY_VALID`);
  if (row.lost.length === 0 && now.length > 0) await record('ENCRYPTION_AT_REST_CONFIG_NO_LONGER_VALID');
  if (row.lost.length > 0 && now.length === 0) await record('ENCRYPTION_AT_REST_CONFIG_IS_VALID');
  if (row.lost.join() !== now.join()) await saveLost(tx, groupId, now);
}

/** Records which provider roles are in use, since a role in use cannot be removed. */
async function updateRoleUsage(
  tx: Tx,
  groupId: string,
  before: EncryptionSettings,
  after: EncryptionSettings,
): Promise<void> {
  const usage = { featureType: 'ENCRYPTION_AT_REST', featureId: { groupId } } as const;
  const roleOf = (own?: ProviderSettings) => (own?.enabled ? own.fields.roleId : undefined);
  for (const { provider } of keyProviders) {
    const [former, roleId] = [roleOf(before[provider]), roleOf(after[provider])];
    if (former === roleId) continue;
    if (former !== undefined) await releaseRole(tx, former, usage);
    if (roleId !== undefined) await useRole(tx, { groupId, roleId, provider }, usage);
  }
}
