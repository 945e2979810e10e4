import { isAccessListRequired, requireAccessList } from '../../../access/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type KeptSettings, readKept, saveKept } from './rows.ts';

/** Settings of an organization, whole: what was never set is at its default or, without one, absent. */
export interface OrganizationSettings extends KeptSettings {
  readonly apiAccessListRequired: boolean;
  readonly genAIFeaturesEnabled: boolean;
  readonly multiFactorAuthRequired: boolean;
  readonly restrictEmployeeAccess: boolean;
  readonly streamsCrossGroupEnabled: boolean;
}

const defaults = {
  genAIFeaturesEnabled: true,
  multiFactorAuthRequired: false,
  restrictEmployeeAccess: false,
  streamsCrossGroupEnabled: false,
};

export async function readSettings(tx: ReadTx, orgId: string): Promise<OrganizationSettings> {
  const apiAccessListRequired = await isAccessListRequired(tx, orgId);
  return { ...defaults, ...(await readKept(tx, orgId)), apiAccessListRequired };
}

/** Sets what `change` names and keeps the rest; the new requirement holds within a second on every instance. */
export async function saveSettings(
  tx: Tx,
  orgId: string,
  change: Partial<OrganizationSettings>,
): Promise<OrganizationSettings> {
  const { apiAccessListRequired, ...kept } = change;
  if (apiAccessListRequired !== undefined) await requireAccessList(tx, orgId, apiAccessListRequired);
  await saveKept(tx, orgId, { ...(await readKept(tx, orgId)), ...kept });
  return readSettings(tx, orgId);
}
