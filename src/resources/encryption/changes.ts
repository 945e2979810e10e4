import type { Actor } from '../../events/index.ts';
import type { SecretBox } from '../../runtime/secret-box.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { recordInProject } from '../projects/index.ts';
import { leaveRole, useRole } from '../provider-access/index.ts';
import { keysChanging } from './hooks.ts';
import { type EncryptionSettings, enabledKeys, keyProviders, type ProviderSettings } from './providers.ts';
import { findEncryption, insertMasterKey, isNamed, type Secrets, saveEncryption } from './rows.ts';
import { merged, type Wanted } from './rules.ts';
import type { KeyProviders } from './schema.ts';

const contextOf = (groupId: string) => `encryption at rest of ${groupId}`;

async function readWanted(tx: ReadTx, groupId: string, box: SecretBox): Promise<Wanted> {
  const row = await findEncryption(tx, groupId);
  if (row === undefined) return { settings: {}, secrets: {} };
  const secrets: Secrets = JSON.parse(box.open(row.secrets, contextOf(groupId)).toString());
  return { settings: row.settings, secrets };
}

/**
 * The master keys that a body names and nobody has named before: they are to be made. One that was named and is missing
 * is not made again, since nothing could be read with it.
 */
export async function newKeys(
  tx: ReadTx,
  { groupId, box }: { readonly groupId: string; readonly box: SecretBox },
  body: KeyProviders,
): Promise<string[]> {
  const { settings } = merged(await readWanted(tx, groupId, box), body);
  const found: string[] = [];
  for (const key of enabledKeys(settings).values()) if (!(await isNamed(tx, key))) found.push(key);
  return found;
}

/** Takes over what a body names. Throws where a cluster uses what is to be switched off. */
export async function changeKeys(
  tx: Tx,
  actor: Actor,
  { groupId, box }: { readonly groupId: string; readonly box: SecretBox },
  body: KeyProviders,
): Promise<EncryptionSettings> {
  const before = await readWanted(tx, groupId, box);
  const { settings, secrets } = merged(before, body);
  const after = enabledKeys(settings);
  await tx.publish(keysChanging, { groupId, before: enabledKeys(before.settings), after });
  await saveEncryption(tx, groupId, {
    settings,
    secrets: box.seal(JSON.stringify(secrets), contextOf(groupId)),
  });
  for (const key of after.values()) await insertMasterKey(tx, groupId, key);
  await followRoles(tx, groupId, before.settings, settings);
  await recordInProject(tx, groupId, { type: 'ENCRYPTION_AT_REST_CONFIGURATION_UPDATED', actor });
  return settings;
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
