import type { Call } from '../../../api/operation.ts';
import type { Tx } from '../../../store/index.ts';
import { ServiceAccountSecret } from '../../organizations/index.ts';
import { operation, type Services } from '../../services.ts';
import { changeContext } from '../changes.ts';
import { addSecret, removeSecret } from './changes.ts';
import { requireOwnAccount } from './rules.ts';
import { SecretCreate } from './schema.ts';
import { presentSecret } from './views.ts';

export const createServiceAccountSecret = operation({
  id: 'createServiceAccountSecret',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/secrets',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Adds a secret to a service account. Only this response contains the secret.',
  access: 'Organization Owner',
  body: SecretCreate,
  reply: ServiceAccountSecret,
  status: 201,
  handler: (call) => call.write((tx) => createSecret(tx, call)),
});

export const deleteServiceAccountSecret = operation({
  id: 'deleteServiceAccountSecret',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/secrets/{secretId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a secret of a service account, and revokes the tokens that were issued for it.',
  access: 'Organization Owner',
  status: 204,
  handler: (call) => call.write((tx) => deleteSecret(tx, call)),
});

export const createProjectServiceAccountSecret = operation({
  id: 'createProjectServiceAccountSecret',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/groups/{groupId}/serviceAccounts/{clientId}/secrets',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Adds a secret to a service account of a project. Only this response contains the secret.',
  access: 'Project Owner',
  body: SecretCreate,
  reply: ServiceAccountSecret,
  status: 201,
  handler: (call) => call.write((tx) => createSecret(tx, call)),
});

export const deleteProjectServiceAccountSecret = operation({
  id: 'deleteProjectServiceAccountSecret',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/groups/{groupId}/serviceAccounts/{clientId}/secrets/{secretId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary:
    'Deletes a secret of a service account of a project, and revokes the tokens that were issued for it.',
  access: 'Project Owner',
  status: 204,
  handler: (call) => call.write((tx) => deleteSecret(tx, call)),
});

type OnAccount = { readonly clientId: string };

async function createSecret(
  tx: Tx,
  call: Call<Services, OnAccount, unknown, { readonly secretExpiresAfterHours: number }>,
) {
  const account = await requireOwnAccount(tx, call);
  const adding = { account, hours: call.body.secretExpiresAfterHours };
  const { secret, made } = await addSecret(tx, call.services, changeContext(call), adding);
  return presentSecret(secret, made);
}

async function deleteSecret(
  tx: Tx,
  call: Call<Services, OnAccount & { readonly secretId: string }>,
): Promise<void> {
  await removeSecret(tx, changeContext(call), await requireOwnAccount(tx, call), call.params.secretId);
}
