import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

interface ProjectDocument {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly { readonly value: string }[];
}

const tagged = (value: string) => [{ key: 'coast', value }];

/** Projects. The value of a project is the value of its only tag. */
export const projects: ResourceKind = {
  name: 'own-project',
  values: ['east', 'west'],
  isAddressedById: true,
  duplicateCode: 'GROUP_ALREADY_EXISTS',
  events: {
    created: 'GROUP_CREATED',
    changed: 'GROUP_TAGS_MODIFIED',
    deleted: 'GROUP_DELETED',
    resourceField: 'groupId',
    recordsNoOps: true,
  },
  create: ({ orgId }, name, value) => ({
    method: 'POST',
    path: '/groups',
    body: { name, orgId, tags: tagged(value) },
  }),
  change: (_, id, value) => ({ method: 'PATCH', path: `/groups/${id}`, body: { tags: tagged(value) } }),
  delete: (_, id) => ({ method: 'DELETE', path: `/groups/${id}` }),
  async list(client, { orgId }) {
    const all = await listAll<ProjectDocument>(client, `/orgs/${orgId}/groups`);
    return all.map(({ id, name, tags }) => ({ id, name, value: tags[0]?.value ?? '' }));
  },
};
