import type { Tx } from '../../../store/index.ts';
import { readSettings, type StoredSettings, saveSettings } from './rows.ts';

export async function changeSettings(
  tx: Tx,
  groupId: string,
  change: StoredSettings,
): Promise<StoredSettings> {
  const settings = { ...(await readSettings(tx, groupId)), ...change };
  await saveSettings(tx, groupId, settings);
  return settings;
}
