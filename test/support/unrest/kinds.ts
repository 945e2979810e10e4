import { expectStatus } from '../expect.ts';
import { allOf } from './all-of.ts';
import type { Kind } from './fates.ts';
import { kindsById } from './kinds-by-id.ts';

const databaseUser: Kind = {
  name: 'database user',
  values: ['ships', 'ports', 'crew'],
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
    const users = await allOf<{ username: string; roles: { databaseName: string }[] }>(
      client,
      `${project}/databaseUsers`,
    );
    return users.map(({ username, roles }) => [username, roles[0]?.databaseName ?? '']);
  },
  made: { type: 'DB_USER_ADDED', field: 'dbUserUsername' },
};

const address: Kind = {
  name: 'address',
  values: ['bow', 'stern', 'keel'],
  make: ({ project }, ipAddress, comment) => ({
    method: 'POST',
    path: `${project}/accessList`,
    body: [{ ipAddress, comment }],
  }),
  // Sent again it is brought up to date.
  change: (place, ipAddress, comment) => address.make(place, ipAddress, comment),
  remove: ({ project }, ipAddress) => ({ method: 'DELETE', path: `${project}/accessList/${ipAddress}` }),
  async list(client, { project }) {
    const entries = await allOf<{ ipAddress?: string; comment?: string }>(client, `${project}/accessList`);
    return entries.map(({ ipAddress = '', comment = '' }) => [ipAddress, comment]);
  },
};

const customRole: Kind = {
  name: 'custom role',
  values: ['FIND', 'INSERT', 'REMOVE'],
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
    const roles = expectStatus<{ roleName: string; actions: { action: string }[] }[]>(reply, 200);
    return roles.map(({ roleName, actions }) => [roleName, actions[0]?.action ?? '']);
  },
};

const actionOn = (action: string) => ({ action, resources: [{ db: 'harbour', collection: 'ports' }] });

const cluster: Kind = {
  name: 'cluster',
  values: ['3', '5'],
  atMost: 5,
  make: ({ project }, name, nodes) => ({
    method: 'POST',
    path: `${project}/clusters`,
    body: {
      name,
      replicationFactor: Number(nodes),
      providerBackupEnabled: true,
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
    },
  }),
  change: ({ project }, name, nodes) => ({
    method: 'PATCH',
    path: `${project}/clusters/${name}`,
    body: { replicationFactor: Number(nodes) },
  }),
  remove: ({ project }, name) => ({ method: 'DELETE', path: `${project}/clusters/${name}` }),
  async list(client, { project }) {
    const clusters = await allOf<{ name: string; connectionStrings: { standard?: string } }>(
      client,
      `${project}/clusters`,
    );
    return clusters.map(({ name, connectionStrings: { standard = '' } }) => [
      name,
      String(standard.match(/:\d+/g)?.length ?? 0),
    ]);
  },
  made: { type: 'CLUSTER_CREATED', field: 'clusterName' },
};

export const kinds: readonly Kind[] = [databaseUser, address, customRole, cluster, ...kindsById];

/** A name of a kind that no other thing has. */
export function nameOf(kind: Kind, number: number): string {
  if (kind === address) return `10.9.${number >> 8}.${number & 255}`;
  return `${kind.name.replaceAll(' ', '-')}-${number}`;
}
