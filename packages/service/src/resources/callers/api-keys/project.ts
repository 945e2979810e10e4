import Type from 'typebox';
import { rolesAt } from '../../../access/index.ts';
import { operation } from '../../services.ts';
import { changeContext, removeFromProject } from '../changes.ts';
import { assertMayManage, orgIdOf, rolesFor } from '../rules.ts';
import { addKey, changeDescription, setKeyRoles } from './changes.ts';
import { assertInProject, requireKey } from './rules.ts';
import { ApiKey, GroupApiKeyCreate, GroupApiKeyUpdate, RolesToAdd } from './schema.ts';
import { presentKey, presentKeys } from './views.ts';

export const listProjectApiKeys = operation({
  id: 'listProjectApiKeys',
  tag: 'Programmatic API Keys',
  method: 'GET',
  path: '/groups/{groupId}/apiKeys',
  summary: 'Lists the API keys that hold a role on a project.',
  access: 'Project Read Only',
  reply: ApiKey,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'apiKeys' },
  handler: (call) =>
    call.read((tx) => presentKeys(tx, { groupId: call.params.groupId }, call.page, call.caller)),
});

export const createProjectApiKey = operation({
  id: 'createProjectApiKey',
  tag: 'Programmatic API Keys',
  method: 'POST',
  path: '/groups/{groupId}/apiKeys',
  summary:
    'Creates an API key with roles on a project. The key also gets the role `ORG_MEMBER` in the organization.',
  access: 'Project Owner',
  body: GroupApiKeyCreate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const project = { kind: 'group', id: call.params.groupId } as const;
    const organization = { kind: 'org', id: orgIdOf(call) } as const;
    const { desc: description, roles: names } = call.body;
    const roles = [
      [organization, ['ORG_MEMBER']],
      [project, rolesFor(project, names)],
    ] as const;
    return call.write(async (tx) => {
      const created = await addKey(tx, call.services, changeContext(call), { description, roles });
      return presentKey(created.key, call.caller, created.privateKey);
    });
  },
});

export const addProjectApiKey = operation({
  id: 'addProjectApiKey',
  tag: 'Programmatic API Keys',
  method: 'POST',
  path: '/groups/{groupId}/apiKeys/{apiUserId}',
  summary: 'Grants roles on a project to an API key of the organization.',
  access: 'Project Owner',
  body: Type.Array(RolesToAdd, { maxItems: 100 }),
  status: 204,
  repeatable: ({ params }) => ({ userId: params.apiUserId }),
  async handler(call) {
    const wanted = call.body.flatMap(({ roleName, roles = [] }) =>
      roleName === undefined ? roles : [roleName, ...roles],
    );
    await call.write(async (tx) => {
      const place = { kind: 'group', id: call.params.groupId } as const;
      const held = await rolesAt(tx, call.params.apiUserId, place);
      const key = await requireKey(tx, orgIdOf(call), call.params.apiUserId);
      await setKeyRoles(tx, changeContext(call), key, { place, roles: [...held, ...wanted] });
    });
  },
});

export const updateProjectApiKey = operation({
  id: 'updateApiKeyRoles',
  tag: 'Programmatic API Keys',
  method: 'PATCH',
  path: '/groups/{groupId}/apiKeys/{apiUserId}',
  summary: 'Replaces the roles of an API key on a project.',
  access: 'Project Owner',
  body: GroupApiKeyUpdate,
  reply: ApiKey,
  status: 200,
  handler(call) {
    const { desc, roles } = call.body;
    const { groupId, apiUserId } = call.params;
    const at = changeContext(call);
    return call.write(async (tx) => {
      const key = await requireKey(tx, at.orgId, apiUserId);
      const place = { kind: 'group', id: groupId } as const;
      if (roles !== undefined) await setKeyRoles(tx, at, key, { place, roles });
      else assertInProject(key, groupId);
      if (desc !== undefined && desc !== key.description) {
        assertMayManage(call, key.grants);
        await changeDescription(tx, at, key, desc);
      }
      return presentKey(await requireKey(tx, at.orgId, key.id), call.caller);
    });
  },
});

export const removeProjectApiKey = operation({
  id: 'removeProjectApiKey',
  tag: 'Programmatic API Keys',
  method: 'DELETE',
  path: '/groups/{groupId}/apiKeys/{apiUserId}',
  summary: 'Revokes all roles of an API key on a project. The key remains in the organization.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const { groupId, apiUserId } = call.params;
    await call.write(async (tx) => {
      const key = await requireKey(tx, orgIdOf(call), apiUserId);
      assertInProject(key, groupId);
      await removeFromProject(tx, changeContext(call), key, groupId);
    });
  },
});
