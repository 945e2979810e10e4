import type { Tx } from '../../../store/index.ts';
import { readSettings, type SetSettings, saveSettings } from './rows.ts';

/** Sets what `change` names and keeps the rest. */
export async function changeSettings(tx: Tx, groupId: string, change: SetSettings): Promise<SetSettings> {
  const settings = { ...(await readSettings(tx, groupId)), ...change };
  await saveSettings(tx, groupId, settings);
  return settings;
}
