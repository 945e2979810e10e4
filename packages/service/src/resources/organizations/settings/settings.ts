import { isAccessListRequired } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { readStoredSettings, type StoredSettings } from './rows.ts';

/** All settings of an organization, with defaults. Settings without a default may be absent. */
export interface OrganizationSettings extends StoredSettings {
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
  return { ...defaults, ...(await readStoredSettings(tx, orgId)), apiAccessListRequired };
}
