import { removePrincipal } from '../../../access/index.ts';
import { pageOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { recordFor } from '../events.ts';
import { assertOwned, rolesFor } from '../roles.ts';
import { changeAccount, existing, listed, makeAccount, present } from './rules.ts';
import {
  OrgServiceAccount,
  ServiceAccountCreate,
  ServiceAccountGroup,
  ServiceAccountUpdate,
} from './schema.ts';
import { tag, versions } from './versions.ts';

const all = '/orgs/{orgId}/serviceAccounts';
const one = `${all}/{clientId}` as const;

const placeOf = ({ orgId }: { readonly orgId: string }) => ({ kind: 'org', id: orgId }) as const;

export const listServiceAccounts = operation({
  id: 'listServiceAccounts',
  summary: 'Lists the service accounts of an organization.',
  tag,
  method: 'GET',
  path: all,
  versions,
  access: 'Organization Member',
  reply: OrgServiceAccount,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'serviceAccounts' },
  handler({ params, page, read }) {
    return read((tx) => listed(tx, { orgId: params.orgId }, page, placeOf(params)));
  },
});

export const createServiceAccount = operation({
  id: 'createServiceAccount',
  summary: 'Makes a service account with one secret, which is shown this once.',
  tag,
  method: 'POST',
  path: all,
  versions,
  access: 'Organization Owner',
  body: ServiceAccountCreate,
  reply: OrgServiceAccount,
  status: 201,
  handler(call) {
    const place = placeOf(call.params);
    return call.write(async (tx) => {
      const { account, secret } = await makeAccount(tx, call, [[place, rolesFor(place, call.body.roles)]]);
      return present(account, place, secret);
    });
  },
});

export const getServiceAccount = operation({
  id: 'getServiceAccount',
  summary: 'Answers one service account of an organization.',
  tag,
  method: 'GET',
  path: one,
  versions,
  access: 'Organization Member',
  reply: OrgServiceAccount,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => present(await existing(tx, params.orgId, params.clientId), placeOf(params))),
});

export const updateServiceAccount = operation({
  id: 'updateServiceAccount',
  summary: 'Changes name and description of a service account, or all its roles on the organization.',
  tag,
  method: 'PATCH',
  path: one,
  versions,
  access: 'Organization Owner',
  body: ServiceAccountUpdate,
  reply: OrgServiceAccount,
  status: 200,
  handler(call) {
    const { orgId, clientId } = call.params;
    const { roles } = call.body;
    const place = placeOf(call.params);
    return call.write(async (tx) => {
      const before = await existing(tx, orgId, clientId);
      await changeAccount(tx, call, before, place, roles && rolesFor(place, roles));
      await assertOwned(tx, orgId, before.grants, 'CANNOT_DEMOTE_LAST_ORG_OWNER');
      return present(await existing(tx, orgId, clientId), place);
    });
  },
});

export const deleteServiceAccount = operation({
  id: 'deleteServiceAccount',
  summary: 'Deletes a service account; its tokens open nothing any more, in any project.',
  tag,
  method: 'DELETE',
  path: one,
  versions,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId, clientId } = call.params;
    await call.write(async (tx) => {
      const account = await existing(tx, orgId, clientId);
      await removePrincipal(tx, clientId);
      await assertOwned(tx, orgId, account.grants, 'CANNOT_DELETE_LAST_ADMIN');
      await recordFor(tx, call, 'SERVICE_ACCOUNT_DELETED', account);
    });
  },
});

export const listServiceAccountProjects = operation({
  id: 'listServiceAccountProjects',
  summary: 'Lists the projects on which a service account holds a role.',
  tag,
  method: 'GET',
  path: `${one}/groups`,
  versions,
  access: 'Organization Member',
  reply: ServiceAccountGroup,
  list: 'page',
  status: 200,
  reachedFrom: { serviceAccount: 'groups' },
  async handler({ params, page, read }) {
    const { grants } = await read((tx) => existing(tx, params.orgId, params.clientId));
    const ids = grants.filter(({ scope }) => scope === 'group').map(({ id }) => id);
    const all = [...new Set(ids)].map((groupId) => ({ groupId }));
    return pageOf(all, page);
  },
});
