import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links } from '../../../api/fields.ts';
import { type Actor, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { type OrganizationSettings, readSettings, saveSettings } from './settings.ts';

const flag = (byDefault: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: byDefault, description }));

const Settings = entity(
  Type.Object(
    {
      apiAccessListRequired: flag(false, 'Whether keys and accounts without an address list are refused.'),
      genAIFeaturesEnabled: flag(true, 'Kept and answered; nothing here depends on it.'),
      links: Links,
      maxServiceAccountSecretValidityInHours: Type.Optional(
        Type.Integer({ minimum: 8, maximum: 8760, description: 'The most that a new secret may live.' }),
      ),
      multiFactorAuthRequired: flag(false, 'Kept and answered; nobody logs in with a password yet.'),
      restrictEmployeeAccess: flag(false, 'Kept and answered; there are no employees to keep out.'),
      securityContact: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
      streamsCrossGroupEnabled: flag(false, 'Kept and answered; nothing here depends on it.'),
    },
    { description: 'What holds for all of an organization.' },
  ),
  { name: 'organizationSettings', self: 'getOrganizationSettings', params: () => ({}) },
);

export const getSettings = operation('getOrganizationSettings', {
  summary: 'Answers the settings of an organization.',
  access: 'Organization Member',
  reply: Settings,
  status: 200,
  reachedFrom: { organization: 'settings' },
  handler: (call) => call.read((tx) => readSettings(tx, call.params.orgId)),
});

export const updateSettings = operation('updateOrganizationSettings', {
  summary: 'Changes the settings that the body names.',
  access: 'Organization Owner',
  body: Settings,
  reply: Settings,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgId } = call.params;
      const before = await readSettings(tx, orgId);
      const after = await saveSettings(tx, orgId, call.body);
      await recordChanges(tx, { orgId, actor: call.actor }, before, after);
      return after;
    }),
});

type Flag = 'apiAccessListRequired' | 'multiFactorAuthRequired' | 'restrictEmployeeAccess';

/** What is recorded when a setting is switched on, and when it is switched off. */
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
