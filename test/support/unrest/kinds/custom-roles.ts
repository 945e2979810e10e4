import { expectStatus } from '../../expect.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly roleName: string;
  readonly actions: readonly { readonly action: string }[];
}

const actionOn = (action: string) => ({ action, resources: [{ db: 'harbour', collection: 'ports' }] });

/** The value is what a role allows. */
export const customRoles: Kind = {
  name: 'custom-role',
  values: ['FIND', 'INSERT', 'REMOVE'],
  // They do not say which role.
  events: {
    made: 'DB_ROLE_ADDED',
    changed: 'DB_ROLE_UPDATED',
    removed: 'DB_ROLE_DELETED',
    tellsSame: true,
  },
  taken: 'PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS',
  make: ({ project }, roleName, action) => ({
    method: 'POST',
    path: `${project}/customDBRoles/roles`,
    body: { roleName, actions: [actionOn(action)] },
  }),
  change: ({ project }, roleName, action) => ({
    method: 'PATCH',
    path: `${project}/customDBRoles/roles/${roleName}`,
    body: { actions: [actionOn(action)] },
  }),
  remove: ({ project }, roleName) => ({
    method: 'DELETE',
    path: `${project}/customDBRoles/roles/${roleName}`,
  }),
  async list(client, { project }) {
    const reply = await client.get(`${project}/customDBRoles/roles`);
    const roles = expectStatus<Shown[]>(reply, 200);
    return roles.map(({ roleName, actions }) => ({ name: roleName, value: actions[0]?.action ?? '' }));
  },
};
