import { operation } from '../../services.ts';
import { changeSettings } from './changes.ts';
import { OrganizationSettings } from './schema.ts';
import { readSettings } from './settings.ts';

export const getSettings = operation('getOrganizationSettings', {
  summary: 'Answers the settings of an organization.',
  access: 'Organization Member',
  reply: OrganizationSettings,
  status: 200,
  reachedFrom: { organization: 'settings' },
  handler: (call) => call.read((tx) => readSettings(tx, call.params.orgId)),
});

export const updateSettings = operation('updateOrganizationSettings', {
  summary: 'Changes the settings that the body names.',
  access: 'Organization Owner',
  body: OrganizationSettings,
  reply: OrganizationSettings,
  status: 200,
  handler: (call) => call.write((tx) => changeSettings(tx, call.params.orgId, call.body, call.actor)),
});
