import type { SecretBox } from '@portolan/foundation/secret-box';
import { type Actor, system } from '../../events/index.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { recordInProject } from '../projects/index.ts';
import { leaveRole, useRole } from '../provider-access/index.ts';
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
  insertMasterKey,
  type KeyDates,
  type NamedKey,
  namedKey,
  type Secrets,
  saveEncryption,
  saveLost,
} from './rows.ts';
import { merged, type Wanted } from './rules.ts';
import type { KeyProviders } from './schema.ts';

const contextOf = (groupId: string) => `encryption at rest of ${groupId}`;

async function readWanted(tx: ReadTx, groupId: string, box: SecretBox): Promise<Wanted> {
  const row = await findEncryption(tx, groupId);
  if (row === undefined) return { settings: {}, secrets: {} };
  const secrets: Secrets = JSON.parse(box.open(row.secrets, contextOf(groupId)).toString());
  return { settings: row.settings, secrets };
}

interface Place {
  readonly groupId: string;
  readonly box: SecretBox;
}

/**
 * The master keys that may be used with what a body says: `unknown` are those that nobody has named before, and are to
 * be made. One that was named and is missing is not made again, since nothing could be read with it.
 */
export async function wantedKeys(
  tx: ReadTx,
  { groupId, box }: Place,
  body: KeyProviders,
): Promise<{ readonly known: readonly NamedKey[]; readonly unknown: readonly string[] }> {
  const { settings } = merged(await readWanted(tx, groupId, box), body);
  const known: NamedKey[] = [];
  const unknown: string[] = [];
  for (const id of new Set(enabledKeys(settings).values())) {
    const key = await namedKey(tx, id);
    if (key === undefined) unknown.push(id);
    else known.push(key);
  }
  return { known, unknown };
}

interface KeyChange {
  readonly body: KeyProviders;
  /** The keys that it wants. */
  readonly named: readonly NamedKey[];
  readonly valid: ReadonlyMap<string, boolean>;
}

/** Takes over what a body names. Throws where a cluster uses what is to be switched off. */
export async function changeKeys(
  tx: Tx,
  actor: Actor,
  { groupId, box }: Place,
  { body, named, valid }: KeyChange,
): Promise<EncryptionSettings> {
  const before = await readWanted(tx, groupId, box);
  const { settings, secrets } = merged(before, body);
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
  await followRoles(tx, groupId, before.settings, settings);
  await recordInProject(tx, groupId, { type: 'ENCRYPTION_AT_REST_CONFIGURATION_UPDATED', actor });
  for (const [provider, key] of after) {
    if (former.has(provider) && former.get(provider) !== key)
      await recordInProject(tx, groupId, { type: `${provider}_ENCRYPTION_KEY_ROTATED`, actor });
  }
  await noteValidity(tx, groupId, valid);
  return settings;
}

/** The day on which each key was named; that of a key which is switched off, and on again, stays. */
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

/** What has become of the keys of a project since somebody looked last. Keys of which `valid` says nothing stay as they were. */
export async function noteValidity(
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

/** Roles that are used say so, and nobody can remove them. */
async function followRoles(
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
    if (former !== undefined) await leaveRole(tx, former, usage);
    if (roleId !== undefined) await useRole(tx, { groupId, roleId, provider }, usage);
  }
}
