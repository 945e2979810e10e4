import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly username: string;
  readonly roles: readonly { readonly databaseName: string }[];
}

/** The value is the database that a user may read. */
export const databaseUsers: Kind = {
  name: 'database-user',
  values: ['ships', 'ports', 'crew'],
  events: {
    made: 'DB_USER_ADDED',
    changed: 'DB_USER_UPDATED',
    removed: 'DB_USER_DELETED',
    field: 'dbUserUsername',
    tellsSame: true,
  },
  taken: 'USER_ALREADY_EXISTS',
  make: ({ project }, username, databaseName) => ({
    method: 'POST',
    path: `${project}/databaseUsers`,
    body: {
      username,
      password: 'a compass and a chart',
      databaseName: 'admin',
      roles: [{ roleName: 'read', databaseName }],
    },
  }),
  change: ({ project }, username, databaseName) => ({
    method: 'PATCH',
    path: `${project}/databaseUsers/admin/${username}`,
    body: { roles: [{ roleName: 'read', databaseName }] },
  }),
  remove: ({ project }, username) => ({
    method: 'DELETE',
    path: `${project}/databaseUsers/admin/${username}`,
  }),
  async list(client, { project }) {
    const users = await allOf<Shown>(client, `${project}/databaseUsers`);
    return users.map(({ username, roles }) => ({ name: username, value: roles[0]?.databaseName ?? '' }));
  },
};
