import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

/** The name of a team holds both, the thing's name and the value. */
export const teams: Kind = {
  name: 'team',
  values: ['port', 'starboard'],
  isKnownById: true,
  events: { made: 'TEAM_CREATED', changed: 'TEAM_NAME_CHANGED', removed: 'TEAM_DELETED', field: 'teamId' },
  make: ({ orgId }, name, value) => ({
    method: 'POST',
    path: `/orgs/${orgId}/teams`,
    body: { name: `${name} ${value}`, usernames: [] },
  }),
  change: ({ orgId }, id, value, name) => ({
    method: 'PATCH',
    path: `/orgs/${orgId}/teams/${id}`,
    body: { name: `${name} ${value}` },
  }),
  remove: ({ orgId }, id) => ({ method: 'DELETE', path: `/orgs/${orgId}/teams/${id}` }),
  async list(client, { orgId }) {
    const all = await allOf<{ id: string; name: string }>(client, `/orgs/${orgId}/teams`);
    return all.map(({ id, name: title }) => {
      const [name = '', value = ''] = title.split(' ');
      return { id, name, value };
    });
  },
};
