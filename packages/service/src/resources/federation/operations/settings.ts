import { extension } from '../../services.ts';
import { ensureFederation, removeFederation } from '../changes.ts';
import { presentSettings } from '../present.ts';
import { requireFederation } from '../rules.ts';
import { FederationSettings } from '../schema.ts';

const tag = 'Federated Authentication';

export const getFederationSettings = extension({
  id: 'getFederationSettings',
  tag,
  method: 'GET',
  path: '/orgs/{orgId}/federationSettings',
  summary:
    'Returns the federation settings of an organization. The first request for them creates the settings.',
  access: 'Organization Owner',
  reply: FederationSettings,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => presentSettings(tx, await ensureFederation(tx, call.params.orgId, call.actor))),
});

export const deleteFederationSettings = extension({
  id: 'deleteFederationApp',
  tag,
  method: 'DELETE',
  path: '/federationSettings/{federationSettingsId}',
  summary:
    'Deletes federation settings with their identity providers and role mappings. Only one organization may be connected.',
  access: 'any caller',
  bodyAccess: { role: 'Organization Owner', of: 'the connected organization' },
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await requireFederation(tx, call.caller, call.params);
      await removeFederation(tx, call.params.federationSettingsId, call.actor);
    }),
});
