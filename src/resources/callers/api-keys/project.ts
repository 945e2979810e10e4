import Type from 'typebox';
import { describeKey, type ApiKey as Key, type Role, rolesAt, setRoles } from '../../../access/index.ts';
import type { Call } from '../../../api/operation.ts';
import type { Tx } from '../../../store/index.ts';
import { operation, type Services } from '../../services.ts';
import { recordFor } from '../events.ts';
import { callerFaults } from '../faults.ts';
import { assertNotStronger, orgIdOf, rolesFor } from '../roles.ts';
import { tag } from './organization.ts';
import { existing, holdsRoleOn, listed, makeKey, present } from './rules.ts';
import { ApiKey, ApiKeyCreate, ApiKeyUpdate, RolesToAdd } from './schema.ts';

const all = '/groups/{groupId}/apiKeys';
const one = `${all}/{apiUserId}` as const;

type OnKey = Call<Services, { groupId: string; apiUserId: string }>;

export const listProjectApiKeys = operation({
  id: 'listProjectApiKeys',
  summary: 'Lists the API keys that hold a role on a project.',
  tag,
  method: 'GET',
  path: all,
  access: 'Project Read Only',
  reply: ApiKey,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'apiKeys' },
  handler: (call) => call.read((tx) => listed(tx, { groupId: call.params.groupId }, call.page)),
});

export const createProjectApiKey = operation({
  id: 'createProjectApiKey',
  summary: 'Makes an API key for a project, which is also a member of its organization.',
  tag,
  method: 'POST',
  path: all,
  access: 'Project Owner',
  body: ApiKeyCreate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const project = { kind: 'group', id: call.params.groupId } as const;
    const organization = { kind: 'org', id: orgIdOf(call) } as const;
    const { desc, roles } = call.body;
    return call.write((tx) =>
      makeKey(tx, call, desc, [
        [organization, ['ORG_MEMBER']],
        [project, rolesFor(project, roles)],
      ]),
    );
  },
});

export const addProjectApiKey = operation({
  id: 'addProjectApiKey',
  summary: 'Gives an API key of the organization further roles on a project.',
  tag,
  method: 'POST',
  path: one,
  access: 'Project Owner',
  body: Type.Array(RolesToAdd),
  status: 204,
  async handler(call) {
    const wanted = call.body.flatMap(({ roleName, roles = [] }) =>
      roleName === undefined ? roles : [roleName, ...roles],
    );
    await call.write(async (tx) => {
      const place = { kind: 'group', id: call.params.groupId } as const;
      const held = await rolesAt(tx, call.params.apiUserId, place);
      await assign(tx, call, await existing(tx, orgIdOf(call), call.params.apiUserId), [...held, ...wanted]);
    });
  },
});

export const updateProjectApiKey = operation({
  id: 'updateApiKeyRoles',
  summary: 'Sets all roles that an API key of the organization holds on a project.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Project Owner',
  body: ApiKeyUpdate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const { desc, roles } = call.body;
    const orgId = orgIdOf(call);
    return call.write(async (tx) => {
      const key = await existing(tx, orgId, call.params.apiUserId);
      if (roles !== undefined) await assign(tx, call, key, roles);
      else assertAssigned(call, key);
      if (desc !== undefined && desc !== key.description) {
        assertNotStronger(call, key.grants);
        await describeKey(tx, key.id, desc);
        await recordFor(tx, call, 'API_KEY_DESCRIPTION_CHANGED', key);
      }
      return present(await existing(tx, orgId, key.id));
    });
  },
});

export const removeProjectApiKey = operation({
  id: 'removeProjectApiKey',
  summary: 'Takes all roles on a project from an API key, which stays in the organization.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const key = await existing(tx, orgIdOf(call), call.params.apiUserId);
      assertAssigned(call, key);
      await setRoles(tx, key.id, { kind: 'group', id: call.params.groupId }, []);
      await recordFor(tx, call, 'API_KEY_REMOVED_FROM_GROUP', key);
    });
  },
});

/** Sets the roles of a key on the project, with the event that fits. */
async function assign(tx: Tx, call: OnKey, key: Key, wanted: readonly Role[]): Promise<void> {
  if (wanted.length === 0) throw callerFaults.MISSING_API_KEY_ROLES();
  const place = { kind: 'group', id: call.params.groupId } as const;
  const changed = await setRoles(tx, key.id, place, rolesFor(place, wanted));
  const isNew = !holdsRoleOn(key.grants, place.id);
  if (changed) await recordFor(tx, call, isNew ? 'API_KEY_ADDED_TO_GROUP' : 'API_KEY_ROLES_CHANGED', key);
}

function assertAssigned(call: OnKey, key: Key): void {
  if (!holdsRoleOn(key.grants, call.params.groupId)) throw callerFaults.API_KEY_NOT_FOUND(key.id);
}
