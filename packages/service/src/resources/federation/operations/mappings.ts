import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { putMapping, removeMapping } from '../mappings.ts';
import { presentMapping } from '../present.ts';
import { mappingsOf } from '../rows.ts';
import { requireConnection, requireMapping } from '../rules.ts';
import { RoleMapping } from '../schema.ts';

const PATH = '/federationSettings/{federationSettingsId}/connectedOrgConfigs/{orgId}/roleMappings';
const ONE = `${PATH}/{id}` as const;
const common = { tag: 'Federated Authentication', access: 'Organization Owner' } as const;

export const listRoleMappings = extension({
  id: 'listRoleMappings',
  ...common,
  method: 'GET',
  path: PATH,
  summary: 'Lists the role mappings of an organization.',
  reply: RoleMapping,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId } = await requireConnection(tx, call.params);
      return pageOf((await mappingsOf(tx, orgId)).map(presentMapping), call.page);
    }),
});

export const createRoleMapping = extension({
  id: 'createRoleMapping',
  ...common,
  method: 'POST',
  path: PATH,
  summary: 'Maps a group of the identity provider to roles. They apply from the next login of a user on.',
  body: RoleMapping,
  reply: RoleMapping,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgId } = await requireConnection(tx, call.params);
      return presentMapping(await putMapping(tx, { orgId }, call.body, call.actor));
    }),
});

export const getRoleMapping = extension({
  id: 'getRoleMapping',
  ...common,
  method: 'GET',
  path: ONE,
  summary: 'Returns one role mapping.',
  reply: RoleMapping,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      await requireConnection(tx, call.params);
      return presentMapping(await requireMapping(tx, call.params));
    }),
});

export const updateRoleMapping = extension({
  id: 'updateRoleMapping',
  ...common,
  method: 'PUT',
  path: ONE,
  summary: 'Replaces a role mapping. The roles apply from the next login of a user on.',
  body: RoleMapping,
  reply: RoleMapping,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { orgId } = await requireConnection(tx, call.params);
      const { id } = await requireMapping(tx, call.params);
      return presentMapping(await putMapping(tx, { orgId, id }, call.body, call.actor));
    }),
});

export const deleteRoleMapping = extension({
  id: 'deleteRoleMapping',
  ...common,
  method: 'DELETE',
  path: ONE,
  summary: 'Deletes a role mapping. Users keep their roles until they log in again.',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      await requireConnection(tx, call.params);
      await removeMapping(tx, await requireMapping(tx, call.params), call.actor);
    }),
});
