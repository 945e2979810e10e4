import { requireAccessList } from '../../../access/index.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { readStoredSettings, saveStoredSettings } from './rows.ts';
import { type OrganizationSettings, readSettings } from './settings.ts';

/**
 * Updates the settings in `change`. If the change requires access lists, all instances enforce this within a second.
 */
export async function changeSettings(
  tx: Tx,
  orgId: string,
  change: Partial<OrganizationSettings>,
  actor: Actor,
): Promise<OrganizationSettings> {
  const before = await readSettings(tx, orgId);
  const { apiAccessListRequired, ...stored } = change;
  if (apiAccessListRequired !== undefined) await requireAccessList(tx, orgId, apiAccessListRequired);
  await saveStoredSettings(tx, orgId, { ...(await readStoredSettings(tx, orgId)), ...stored });
  const after = await readSettings(tx, orgId);
  await recordChanges(tx, { orgId, actor }, before, after);
  return after;
}

type Flag = 'apiAccessListRequired' | 'multiFactorAuthRequired' | 'restrictEmployeeAccess';

/** The event types for enabling and for disabling a setting. */
const switches: Readonly<Record<Flag, readonly [on: string, off: string]>> = {
  apiAccessListRequired: ['ORG_PUBLIC_API_ACCESS_LIST_REQUIRED', 'ORG_PUBLIC_API_ACCESS_LIST_NOT_REQUIRED'],
  multiFactorAuthRequired: ['ORG_TWO_FACTOR_AUTH_REQUIRED', 'ORG_TWO_FACTOR_AUTH_OPTIONAL'],
  restrictEmployeeAccess: ['ORG_EMPLOYEE_ACCESS_RESTRICTED', 'ORG_EMPLOYEE_ACCESS_UNRESTRICTED'],
};

async function recordChanges(
  tx: Tx,
  where: { readonly orgId: string; readonly actor: Actor },
  before: OrganizationSettings,
  after: OrganizationSettings,
): Promise<void> {
  for (const [name, [on, off]] of Object.entries(switches) as [Flag, readonly [string, string]][]) {
    if (before[name] !== after[name]) await recordEvent(tx, { type: after[name] ? on : off, ...where });
  }
  const [was, is] = [before, after].map((settings) => settings.maxServiceAccountSecretValidityInHours);
  if (was !== is) {
    await recordEvent(tx, { type: 'ORG_SERVICE_ACCOUNT_MAX_SECRET_VALIDITY_EDITED', ...where });
  }
}
