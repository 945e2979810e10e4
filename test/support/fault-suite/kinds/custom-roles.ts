import { expectStatus } from '../../expect.ts';
import type { ResourceKind } from './kind.ts';

interface RoleDocument {
  readonly roleName: string;
  readonly actions: readonly { readonly action: string }[];
}

const actionOn = (action: string) => ({ action, resources: [{ db: 'harbour', collection: 'ports' }] });

/** Custom roles. The value of a role is its only action. */
export const customRoles: ResourceKind = {
  name: 'custom-role',
  values: ['FIND', 'INSERT', 'REMOVE'],
  // These events do not name the role.
  events: {
    created: 'DB_ROLE_ADDED',
    changed: 'DB_ROLE_UPDATED',
    deleted: 'DB_ROLE_DELETED',
    recordsNoOps: true,
  },
  duplicateCode: 'PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS',
  create: ({ project }, roleName, action) => ({
    method: 'POST',
    path: `${project}/customDBRoles/roles`,
    body: { roleName, actions: [actionOn(action)] },
  }),
  change: ({ project }, roleName, action) => ({
    method: 'PATCH',
    path: `${project}/customDBRoles/roles/${roleName}`,
    body: { actions: [actionOn(action)] },
  }),
  delete: ({ project }, roleName) => ({
    method: 'DELETE',
    path: `${project}/customDBRoles/roles/${roleName}`,
  }),
  async list(client, { project }) {
    const reply = await client.get(`${project}/customDBRoles/roles`);
    const roles = expectStatus<RoleDocument[]>(reply, 200);
    return roles.map(({ roleName, actions }) => ({ name: roleName, value: actions[0]?.action ?? '' }));
  },
};
