import { type Role, setRoles } from '../../../access/index.ts';
import { operation } from '../../services.ts';
import { recordFor } from '../events.ts';
import { assertNotStronger, orgIdOf, rolesFor, rolesIn } from '../roles.ts';
import { changeAccount, existing, listed, makeAccount, present } from './rules.ts';
import { GroupServiceAccount, RolesInProject, ServiceAccountCreate, ServiceAccountUpdate } from './schema.ts';
import { tag, versions } from './versions.ts';

const all = '/groups/{groupId}/serviceAccounts';
const one = `${all}/{clientId}` as const;

const placeOf = ({ groupId }: { readonly groupId: string }) => ({ kind: 'group', id: groupId }) as const;

export const listProjectServiceAccounts = operation({
  id: 'listProjectServiceAccounts',
  summary: 'Lists the service accounts that hold a role on a project.',
  tag,
  method: 'GET',
  path: all,
  versions,
  access: 'Project Read Only',
  reply: GroupServiceAccount,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'serviceAccounts' },
  handler: ({ params, page, read }) =>
    read((tx) => listed(tx, { groupId: params.groupId }, page, placeOf(params))),
});

export const createProjectServiceAccount = operation({
  id: 'createProjectServiceAccount',
  summary: 'Makes a service account for a project, which is also a member of its organization.',
  tag,
  method: 'POST',
  path: all,
  versions,
  access: 'Project Owner',
  body: ServiceAccountCreate,
  reply: GroupServiceAccount,
  status: 201,
  handler(call) {
    const place = placeOf(call.params);
    const roles = withAtLeast('GROUP_READ_ONLY', rolesFor(place, call.body.roles));
    const membership = [{ kind: 'org', id: orgIdOf(call) }, ['ORG_MEMBER']] as const;
    return call.write(async (tx) => {
      const { account, secret } = await makeAccount(tx, call, [membership, [place, roles]]);
      return present(account, place, secret);
    });
  },
});

export const getProjectServiceAccount = operation({
  id: 'getProjectServiceAccount',
  summary: 'Answers one service account of a project.',
  tag,
  method: 'GET',
  path: one,
  versions,
  access: 'Project Read Only',
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = placeOf(call.params);
    const { clientId } = call.params;
    return call.read(async (tx) => present(await existing(tx, orgIdOf(call), clientId, place), place));
  },
});

export const updateProjectServiceAccount = operation({
  id: 'updateProjectServiceAccount',
  summary: 'Changes name and description of a service account, or all its roles on a project.',
  tag,
  method: 'PATCH',
  path: one,
  versions,
  access: 'Project Owner',
  body: ServiceAccountUpdate,
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = placeOf(call.params);
    const { name, description, roles } = call.body;
    const wanted = roles && withAtLeast('GROUP_READ_ONLY', rolesFor(place, roles));
    return call.write(async (tx) => {
      const before = await existing(tx, orgIdOf(call), call.params.clientId, place);
      if (name !== undefined || description !== undefined) assertNotStronger(call, before.grants);
      await changeAccount(tx, call, before, place, wanted);
      return present(await existing(tx, orgIdOf(call), before.clientId, place), place);
    });
  },
});

export const addProjectServiceAccount = operation({
  id: 'addProjectServiceAccount',
  summary: 'Gives a service account of the organization further roles on a project.',
  tag,
  method: 'POST',
  path: `${one}:invite`,
  versions,
  access: 'Project Owner',
  body: RolesInProject,
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = placeOf(call.params);
    return call.write(async (tx) => {
      const before = await existing(tx, orgIdOf(call), call.params.clientId);
      const held = rolesIn(before.grants, place);
      const isNew = held.length === 0;
      const wanted = rolesFor(place, [...held, ...call.body.roles]);
      if (await setRoles(tx, before.clientId, place, wanted)) {
        const type = isNew ? 'SERVICE_ACCOUNT_ADDED_TO_GROUP' : 'SERVICE_ACCOUNT_ROLES_CHANGED';
        await recordFor(tx, call, type, before);
      }
      return present(await existing(tx, orgIdOf(call), before.clientId, place), place);
    });
  },
});

export const removeProjectServiceAccount = operation({
  id: 'deleteProjectServiceAccount',
  summary: 'Takes all roles on a project from a service account, which stays in the organization.',
  tag,
  method: 'DELETE',
  path: one,
  versions,
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const place = placeOf(call.params);
    await call.write(async (tx) => {
      const account = await existing(tx, orgIdOf(call), call.params.clientId, place);
      await setRoles(tx, account.clientId, place, []);
      await recordFor(tx, call, 'SERVICE_ACCOUNT_REMOVED_FROM_GROUP', account);
    });
  },
});

/** Who belongs to a project may at least look at it; without any role it would not belong there. */
function withAtLeast(role: Role, roles: readonly Role[]): readonly Role[] {
  return roles.length > 0 ? roles : [role];
}
