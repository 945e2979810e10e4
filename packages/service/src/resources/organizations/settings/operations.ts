import { accessFaults, countEntries } from '../../../access/index.ts';
import { operation } from '../../services.ts';
import { changeSettings } from './changes.ts';
import { OrganizationSettings } from './schema.ts';
import { readSettings } from './settings.ts';

export const getSettings = operation({
  id: 'getOrganizationSettings',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs/{orgId}/settings',
  summary: 'Returns the settings of an organization.',
  access: 'Organization Member',
  reply: OrganizationSettings,
  status: 200,
  reachedFrom: { organization: 'settings' },
  handler: (call) => call.read((tx) => readSettings(tx, call.params.orgId)),
});

export const updateSettings = operation({
  id: 'updateOrganizationSettings',
  tag: 'Organizations',
  method: 'PATCH',
  path: '/orgs/{orgId}/settings',
  summary: 'Updates the settings of an organization; omitted settings keep their values.',
  access: 'Organization Owner',
  body: OrganizationSettings,
  reply: OrganizationSettings,
  status: 200,
  handler: ({ params, body, actor, caller, remoteAddress, write }) =>
    write(async (tx) => {
      // Reject a change by which the caller would lock itself out.
      if (body.apiAccessListRequired === true && (await countEntries(tx, caller.id)) === 0) {
        throw accessFaults.ORG_REQUIRES_ACCESS_LIST(remoteAddress);
      }
      return changeSettings(tx, params.orgId, body, actor);
    }),
});
