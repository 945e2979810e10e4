import type { Tx } from '../store/index.ts';
import type { ScopeKind } from './caller.ts';
import { cacheKeys } from './credentials.ts';
import { type Role, roles } from './roles.ts';
import { deleteGrant, deleteGrantsOn, deletePrincipals, insertGrant, principalsOf } from './rows.ts';

/** An organization or a project. */
export interface GrantPlace {
  readonly kind: ScopeKind;
  readonly id: string;
}

/**
 * Gives a role on an organization or a project to an API key (by its id) or a service account (by its client id).
 * Given twice it is there once. Throws a TypeError for a role of the other level.
 */
export async function grantRole(tx: Tx, principalId: string, place: GrantPlace, role: Role): Promise<void> {
  if (roles[role].scope !== place.kind) throw new TypeError(`${role} cannot be granted on a ${place.kind}`);
  await insertGrant(tx, rowOf(principalId, place, role));
  tx.touch(cacheKeys.principal(principalId));
}

export async function revokeRole(tx: Tx, principalId: string, place: GrantPlace, role: Role): Promise<void> {
  await deleteGrant(tx, rowOf(principalId, place, role));
  tx.touch(cacheKeys.principal(principalId));
}

/** Takes every role on an organization or a project away, as when it is deleted. */
export async function removeGrantsOf(tx: Tx, place: GrantPlace): Promise<void> {
  const holders = await deleteGrantsOn(tx, place.kind, place.id);
  tx.touch(...holders.map(cacheKeys.principal));
}

/** Deletes the API keys and service accounts of an organization, with all that they were granted. */
export async function removePrincipalsOf(tx: Tx, orgId: string): Promise<void> {
  const ids = await principalsOf(tx, orgId);
  await deletePrincipals(tx, ids);
  tx.touch(...ids.map(cacheKeys.principal));
}

function rowOf(principalId: string, place: GrantPlace, role: Role) {
  return { principal_id: principalId, scope_kind: place.kind, scope_id: place.id, role };
}
