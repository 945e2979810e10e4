import { describeKey, removePrincipal, setRoles } from '../../../access/index.ts';
import type { Call } from '../../../api/operation.ts';
import type { Tx } from '../../../store/index.ts';
import { operation, type Services } from '../../services.ts';
import { recordFor } from '../events.ts';
import { callerFaults } from '../faults.ts';
import { assertOwned, rolesFor } from '../roles.ts';
import { existing, listed, makeKey, present } from './rules.ts';
import { ApiKey, ApiKeyCreate, ApiKeyUpdate } from './schema.ts';

export const tag = 'Programmatic API Keys';
const all = '/orgs/{orgId}/apiKeys';
const one = `${all}/{apiUserId}` as const;

export const listApiKeys = operation({
  id: 'listApiKeys',
  summary: 'Lists the API keys of an organization.',
  tag,
  method: 'GET',
  path: all,
  access: 'Organization Member',
  reply: ApiKey,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'apiKeys' },
  handler: (call) => call.read((tx) => listed(tx, { orgId: call.params.orgId }, call.page)),
});

export const createApiKey = operation({
  id: 'createApiKey',
  summary: 'Makes an API key; its private half is shown this once.',
  tag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  body: ApiKeyCreate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const place = { kind: 'org', id: call.params.orgId } as const;
    const { desc, roles } = call.body;
    return call.write((tx) => makeKey(tx, call, desc, [[place, rolesFor(place, roles)]]));
  },
});

export const getApiKey = operation({
  id: 'getApiKey',
  summary: 'Answers one API key of an organization.',
  tag,
  method: 'GET',
  path: one,
  access: 'Organization Member',
  reply: ApiKey,
  status: 200,
  reachedFrom: { root: 'apiKeys' },
  handler: (call) =>
    call.read(async (tx) => present(await existing(tx, call.params.orgId, call.params.apiUserId))),
});

export const updateApiKey = operation({
  id: 'updateApiKey',
  summary: 'Changes the description of an API key, or all its roles on the organization.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Organization Owner',
  body: ApiKeyUpdate,
  reply: ApiKey,
  status: 200,
  handler: (call) => call.write((tx) => change(tx, call)),
});

async function change(
  tx: Tx,
  call: Call<Services, { orgId: string; apiUserId: string }, unknown, ApiKeyUpdate>,
) {
  const { orgId, apiUserId } = call.params;
  const { desc, roles } = call.body;
  const before = await existing(tx, orgId, apiUserId);
  if (desc !== undefined && desc !== before.description) {
    await describeKey(tx, apiUserId, desc);
    await recordFor(tx, call, 'API_KEY_DESCRIPTION_CHANGED', before);
  }
  if (roles !== undefined) {
    if (roles.length === 0) throw callerFaults.MISSING_API_KEY_ROLES();
    const place = { kind: 'org', id: orgId } as const;
    const changed = await setRoles(tx, apiUserId, place, rolesFor(place, roles));
    await assertOwned(tx, orgId, before.grants, 'CANNOT_DEMOTE_LAST_ORG_OWNER');
    if (changed) await recordFor(tx, call, 'API_KEY_ROLES_CHANGED', before);
  }
  return present(await existing(tx, orgId, apiUserId));
}

export const deleteApiKey = operation({
  id: 'deleteApiKey',
  summary: 'Deletes an API key; it opens nothing any more, in any project.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId, apiUserId } = call.params;
    await call.write(async (tx) => {
      const key = await existing(tx, orgId, apiUserId);
      await removePrincipal(tx, apiUserId);
      await assertOwned(tx, orgId, key.grants, 'CANNOT_DELETE_LAST_ADMIN');
      await recordFor(tx, call, 'API_KEY_DELETED', key);
    });
  },
});
