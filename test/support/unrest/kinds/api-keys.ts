import { allOf } from '../all-of.ts';
import type { Kind } from './kind.ts';

interface Shown {
  readonly id: string;
  readonly desc: string;
  readonly publicKey: string;
  readonly roles: readonly { readonly roleName: string }[];
}

/** The value is the only role of a key. */
export const apiKeys: Kind = {
  name: 'key',
  values: ['ORG_MEMBER', 'ORG_READ_ONLY', 'ORG_GROUP_CREATOR'],
  isKnownById: true,
  events: {
    made: 'API_KEY_CREATED',
    changed: 'API_KEY_ROLES_CHANGED',
    removed: 'API_KEY_DELETED',
    field: 'targetPublicKey',
  },
  make: ({ orgId }, desc, role) => ({
    method: 'POST',
    path: `/orgs/${orgId}/apiKeys`,
    body: { desc, roles: [role] },
  }),
  change: ({ orgId }, id, role) => ({
    method: 'PATCH',
    path: `/orgs/${orgId}/apiKeys/${id}`,
    body: { roles: [role] },
  }),
  remove: ({ orgId }, id) => ({ method: 'DELETE', path: `/orgs/${orgId}/apiKeys/${id}` }),
  async list(client, { orgId }) {
    const all = await allOf<Shown>(client, `/orgs/${orgId}/apiKeys`);
    return all.map(({ id, desc, publicKey, roles }) => ({
      ...{ id, name: desc, called: publicKey },
      value: roles.map(({ roleName }) => roleName).join(),
    }));
  },
};
