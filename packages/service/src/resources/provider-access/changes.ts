import type { Random } from '@portolan/foundation/random';
import { generalFaults } from '../../api/faults.ts';
import type { Actor } from '../../events/index.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { recordInProject } from '../projects/index.ts';
import { providerAccessFaults } from './faults.ts';
import { deleteRole, type Identity, insertRole, type RoleRow, updateRole } from './rows.ts';
import {
  checkFields,
  readPrincipal,
  readRoleArn,
  requireAccessRole,
  requireNewPrincipal,
  requireRoom,
} from './rules.ts';
import type { AccessRole } from './schema.ts';
import { deleteUsage, insertUsage, type RoleUsage, usagesOf } from './usages.ts';

/** Creates a role. An AWS role must be authorized before it can be used; other roles can be used at once. */
export async function addRole(
  tx: Tx,
  actor: Actor,
  at: { readonly groupId: string; readonly random: Random },
  body: AccessRole,
): Promise<RoleRow> {
  checkFields(body);
  if (body.iamAssumedRoleArn != null) throw generalFaults.INVALID_ATTRIBUTE('iamAssumedRoleArn');
  const { groupId, random } = at;
  const id = tx.id();
  const identity = newIdentity(body, id, random);
  const authorized = identity.provider === 'AWS' ? undefined : tx.now;
  const row: RoleRow = { id, groupId, created: tx.now, updated: tx.now, authorized, identity };
  await requireRoom(tx, groupId);
  await requireNewPrincipal(tx, row);
  await insertRole(tx, row);
  await record(tx, 'ADDED', row, actor);
  return row;
}

function newIdentity(body: AccessRole, id: string, random: Random): Identity {
  switch (body.providerName) {
    case 'AWS':
      return { provider: 'AWS', externalId: random.uuid() };
    case 'AZURE':
      return readPrincipal(body);
    case 'GCP':
      return { provider: 'GCP', serviceAccount: `role-${id}@portolan.iam.gserviceaccount.com` };
  }
}

/** Authorizes an AWS role, or changes the principal of an Azure role. */
export async function changeRole(tx: Tx, actor: Actor, before: RoleRow, body: AccessRole): Promise<RoleRow> {
  const identity = changedIdentity(before, body);
  const row: RoleRow = { ...before, identity, updated: tx.now, authorized: before.authorized ?? tx.now };
  await requireNewPrincipal(tx, row);
  await updateRole(tx, row);
  await record(tx, 'UPDATED', row, actor);
  return row;
}

/** Returns the identity of a role after a change. Throws for a body that is invalid for this role. */
export function changedIdentity(before: RoleRow, body: AccessRole): Identity {
  if (body.providerName !== before.identity.provider) throw generalFaults.INVALID_ATTRIBUTE('providerName');
  checkFields(body);
  const { identity } = before;
  if (identity.provider === 'AZURE') return readPrincipal(body, identity);
  if (identity.provider === 'GCP') return identity;
  return { ...identity, roleArn: readRoleArn(body.iamAssumedRoleArn, before) };
}

/** Deletes a role. Throws CLOUD_PROVIDER_ACCESS_ROLE_IN_USE if a feature uses it. */
export async function removeRole(tx: Tx, actor: Actor, row: RoleRow): Promise<void> {
  if ((await usagesOf(tx, [row.id])).size > 0)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_IN_USE(row.id);
  await deleteRole(tx, row.id);
  await record(tx, 'DELETED', row, actor);
}

/** Records that a feature uses a role. Throws like `requireUsableRole`. */
export async function useRole(
  tx: Tx,
  at: { readonly groupId: string; readonly roleId: string; readonly provider: Identity['provider'] },
  usage: RoleUsage,
): Promise<RoleRow> {
  const row = await requireUsableRole(tx, at);
  await insertUsage(tx, row.id, usage);
  return row;
}

export const releaseRole = (tx: Tx, roleId: string, usage: RoleUsage) => deleteUsage(tx, roleId, usage);

/**
 * Returns a role that a feature can use. Throws if the project has no such role for the provider, or if the role is not
 * authorized.
 */
export async function requireUsableRole(
  tx: ReadTx,
  at: { readonly groupId: string; readonly roleId: string; readonly provider: Identity['provider'] },
): Promise<RoleRow> {
  const row = await requireAccessRole(tx, at.groupId, at.roleId);
  if (row.identity.provider !== at.provider)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND(at.roleId);
  if (row.authorized === undefined)
    throw providerAccessFaults.CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED(row.id);
  return row;
}

const kinds = { AWS: 'AWS_IAM_ROLE', AZURE: 'AZURE_SERVICE_PRINCIPAL', GCP: 'GCP_SERVICE_ACCOUNT' } as const;

function record(tx: Tx, what: 'ADDED' | 'UPDATED' | 'DELETED', row: RoleRow, actor: Actor): Promise<void> {
  const type = `CLOUD_PROVIDER_ACCESS_${kinds[row.identity.provider]}_${what}`;
  return recordInProject(tx, row.groupId, { type, actor });
}
