import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

interface UserDocument {
  readonly username: string;
  readonly roles: readonly { readonly databaseName: string }[];
}

/** Database users. The value of a user is the database that the user may read. */
export const databaseUsers: ResourceKind = {
  name: 'database-user',
  values: ['ships', 'ports', 'crew'],
  events: {
    created: 'DB_USER_ADDED',
    changed: 'DB_USER_UPDATED',
    deleted: 'DB_USER_DELETED',
    resourceField: 'dbUserUsername',
    recordsNoOps: true,
  },
  duplicateCode: 'USER_ALREADY_EXISTS',
  create: ({ project }, username, databaseName) => ({
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
  delete: ({ project }, username) => ({
    method: 'DELETE',
    path: `${project}/databaseUsers/admin/${username}`,
  }),
  async list(client, { project }) {
    const users = await listAll<UserDocument>(client, `${project}/databaseUsers`);
    return users.map(({ username, roles }) => ({ name: username, value: roles[0]?.databaseName ?? '' }));
  },
};
