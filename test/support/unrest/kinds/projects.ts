import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly { readonly value: string }[];
}

const tagged = (value: string) => [{ key: 'coast', value }];

/** The value is that of the only tag. */
export const projects: Kind = {
  name: 'own-project',
  values: ['east', 'west'],
  isKnownById: true,
  taken: 'GROUP_ALREADY_EXISTS',
  events: {
    made: 'GROUP_CREATED',
    changed: 'GROUP_TAGS_MODIFIED',
    removed: 'GROUP_DELETED',
    field: 'groupId',
    tellsSame: true,
  },
  make: ({ orgId }, name, value) => ({
    method: 'POST',
    path: '/groups',
    body: { name, orgId, tags: tagged(value) },
  }),
  change: (_, id, value) => ({ method: 'PATCH', path: `/groups/${id}`, body: { tags: tagged(value) } }),
  remove: (_, id) => ({ method: 'DELETE', path: `/groups/${id}` }),
  async list(client, { orgId }) {
    const all = await allOf<Shown>(client, `/orgs/${orgId}/groups`);
    return all.map(({ id, name, tags }) => ({ id, name, value: tags[0]?.value ?? '' }));
  },
};
