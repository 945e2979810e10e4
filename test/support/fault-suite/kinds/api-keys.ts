import { listAll } from '../list-all.ts';
import type { ResourceKind } from './kind.ts';

interface KeyDocument {
  readonly id: string;
  readonly desc: string;
  readonly publicKey: string;
  readonly roles: readonly { readonly roleName: string }[];
}

/** API keys. The value of a key is its only role. */
export const apiKeys: ResourceKind = {
  name: 'key',
  values: ['ORG_MEMBER', 'ORG_READ_ONLY', 'ORG_GROUP_CREATOR'],
  isAddressedById: true,
  events: {
    created: 'API_KEY_CREATED',
    changed: 'API_KEY_ROLES_CHANGED',
    deleted: 'API_KEY_DELETED',
    resourceField: 'targetPublicKey',
  },
  create: ({ orgId }, desc, role) => ({
    method: 'POST',
    path: `/orgs/${orgId}/apiKeys`,
    body: { desc, roles: [role] },
  }),
  change: ({ orgId }, id, role) => ({
    method: 'PATCH',
    path: `/orgs/${orgId}/apiKeys/${id}`,
    body: { roles: [role] },
  }),
  delete: ({ orgId }, id) => ({ method: 'DELETE', path: `/orgs/${orgId}/apiKeys/${id}` }),
  async list(client, { orgId }) {
    const all = await listAll<KeyDocument>(client, `/orgs/${orgId}/apiKeys`);
    return all.map(({ id, desc, publicKey, roles }) => ({
      ...{ id, name: desc, eventName: publicKey },
      value: roles.map(({ roleName }) => roleName).join(),
    }));
  },
};
