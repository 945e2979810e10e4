import { operation } from '../../services.ts';
import { changeContext, removeCaller } from '../changes.ts';
import { rolesFor } from '../rules.ts';
import { addKey, changeDescription, setKeyRoles } from './changes.ts';
import { requireKey } from './rules.ts';
import { ApiKey, OrgApiKeyCreate, OrgApiKeyUpdate } from './schema.ts';
import { presentKey, presentKeys } from './views.ts';

export const listApiKeys = operation({
  id: 'listApiKeys',
  tag: 'Programmatic API Keys',
  method: 'GET',
  path: '/orgs/{orgId}/apiKeys',
  summary: 'Lists the API keys of an organization.',
  access: 'Organization Member',
  reply: ApiKey,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'apiKeys' },
  handler: (call) => call.read((tx) => presentKeys(tx, { orgId: call.params.orgId }, call.page, call.caller)),
});

export const createApiKey = operation({
  id: 'createApiKey',
  tag: 'Programmatic API Keys',
  method: 'POST',
  path: '/orgs/{orgId}/apiKeys',
  summary: 'Creates an API key. Only this response contains the complete private key.',
  access: 'Organization Owner',
  body: OrgApiKeyCreate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const place = { kind: 'org', id: call.params.orgId } as const;
    const { desc: description, roles: names } = call.body;
    const roles = [[place, rolesFor(place, names)]] as const;
    return call.write(async (tx) => {
      const created = await addKey(tx, call.services, changeContext(call), { description, roles });
      return presentKey(created.key, call.caller, created.privateKey);
    });
  },
});

export const getApiKey = operation({
  id: 'getApiKey',
  tag: 'Programmatic API Keys',
  method: 'GET',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}',
  summary: 'Returns one API key of an organization.',
  access: 'Organization Member',
  reply: ApiKey,
  status: 200,
  reachedFrom: { root: 'apiKeys' },
  handler: (call) =>
    call.read(async (tx) =>
      presentKey(await requireKey(tx, call.params.orgId, call.params.apiUserId), call.caller),
    ),
});

export const updateApiKey = operation({
  id: 'updateApiKey',
  tag: 'Programmatic API Keys',
  method: 'PATCH',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}',
  summary: 'Changes the description of an API key, or replaces its organization roles.',
  access: 'Organization Owner',
  body: OrgApiKeyUpdate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const { orgId, apiUserId } = call.params;
    const { desc, roles } = call.body;
    const at = changeContext(call);
    return call.write(async (tx) => {
      const before = await requireKey(tx, orgId, apiUserId);
      if (desc !== undefined && desc !== before.description) await changeDescription(tx, at, before, desc);
      const place = { kind: 'org', id: orgId } as const;
      if (roles !== undefined) await setKeyRoles(tx, at, before, { place, roles });
      return presentKey(await requireKey(tx, orgId, apiUserId), call.caller);
    });
  },
});

export const deleteApiKey = operation({
  id: 'deleteApiKey',
  tag: 'Programmatic API Keys',
  method: 'DELETE',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}',
  summary: 'Deletes an API key. All instances of the service reject it within one second.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId, apiUserId } = call.params;
    await call.write(async (tx) =>
      removeCaller(tx, changeContext(call), await requireKey(tx, orgId, apiUserId)),
    );
  },
});
