import type { ServiceAccount } from '../../../access/index.ts';
import type { Call } from '../../../api/operation.ts';
import type { ReadTx } from '../../../store/index.ts';
import { operation, type Services } from '../../services.ts';
import { assertNotStronger, orgIdOf } from '../roles.ts';
import { existing, makeSecret, removeSecret } from './rules.ts';
import { Secret, SecretCreate } from './schema.ts';
import { tag, versions } from './versions.ts';

const OF_ORG = '/orgs/{orgId}/serviceAccounts/{clientId}/secrets';
const OF_GROUP = '/groups/{groupId}/serviceAccounts/{clientId}/secrets';

export const createServiceAccountSecret = operation({
  id: 'createServiceAccountSecret',
  summary: 'Makes a second secret for a service account; it is shown this once.',
  tag,
  method: 'POST',
  path: OF_ORG,
  versions,
  access: 'Organization Owner',
  body: SecretCreate,
  reply: Secret,
  status: 201,
  handler: (call) => call.write(async (tx) => makeSecret(tx, call, await accountOf(tx, call))),
});

export const deleteServiceAccountSecret = operation({
  id: 'deleteServiceAccountSecret',
  summary: 'Deletes a secret, and with it the tokens that were got with it.',
  tag,
  method: 'DELETE',
  path: `${OF_ORG}/{secretId}`,
  versions,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { secretId } = call.params;
    await call.write(async (tx) => removeSecret(tx, call, await accountOf(tx, call), secretId));
  },
});

export const createProjectServiceAccountSecret = operation({
  id: 'createProjectServiceAccountSecret',
  summary: 'Makes a second secret for a service account of a project; it is shown this once.',
  tag,
  method: 'POST',
  path: OF_GROUP,
  versions,
  access: 'Project Owner',
  body: SecretCreate,
  reply: Secret,
  status: 201,
  handler: (call) => call.write(async (tx) => makeSecret(tx, call, await accountOf(tx, call))),
});

export const deleteProjectServiceAccountSecret = operation({
  id: 'deleteProjectServiceAccountSecret',
  summary: 'Deletes a secret of a service account of a project, and the tokens that were got with it.',
  tag,
  method: 'DELETE',
  path: `${OF_GROUP}/{secretId}`,
  versions,
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const { secretId } = call.params;
    await call.write(async (tx) => removeSecret(tx, call, await accountOf(tx, call), secretId));
  },
});

/** The account of the path. Through a project it is one whose secrets the caller may have. */
export async function accountOf(
  tx: ReadTx,
  call: Call<Services, { readonly clientId: string }>,
): Promise<ServiceAccount> {
  const { scope, params } = call;
  if (scope?.kind !== 'group') return existing(tx, orgIdOf(call), params.clientId);
  const account = await existing(tx, scope.orgId, params.clientId, scope);
  assertNotStronger(call, account.grants);
  return account;
}
