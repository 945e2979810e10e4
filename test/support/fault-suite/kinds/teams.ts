import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

/** Teams. The name of a team in the API consists of the resource's name and value. */
export const teams: ResourceKind = {
  name: 'team',
  values: ['port', 'starboard'],
  isAddressedById: true,
  events: {
    created: 'TEAM_CREATED',
    changed: 'TEAM_NAME_CHANGED',
    deleted: 'TEAM_DELETED',
    resourceField: 'teamId',
  },
  create: ({ orgId }, name, value) => ({
    method: 'POST',
    path: `/orgs/${orgId}/teams`,
    body: { name: `${name} ${value}`, usernames: [] },
  }),
  change: ({ orgId }, id, value, name) => ({
    method: 'PATCH',
    path: `/orgs/${orgId}/teams/${id}`,
    body: { name: `${name} ${value}` },
  }),
  delete: ({ orgId }, id) => ({ method: 'DELETE', path: `/orgs/${orgId}/teams/${id}` }),
  async list(client, { orgId }) {
    const all = await listAll<{ id: string; name: string }>(client, `/orgs/${orgId}/teams`);
    return all.map(({ id, name: title }) => {
      const [name = '', value = ''] = title.split(' ');
      return { id, name, value };
    });
  },
};
