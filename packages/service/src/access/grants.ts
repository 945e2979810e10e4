import type { ReadTx, Tx } from '../store/index.ts';
import type { ScopeKind } from './caller.ts';
import { cacheKeys } from './credentials.ts';
import { accessFaults } from './faults.ts';
import { isRole, type Role, roles } from './roles.ts';
import {
  deleteGrant,
  deleteGrantsOn,
  deletePrincipals,
  grantsOfPrincipals,
  grantsOnScopes,
  type HeldGrant,
  holdRoles,
  insertGrant,
  principalsOf,
  rolesOn,
  setListRequired,
} from './rows.ts';
import { deleteRequests } from './trail/rows.ts';

/**
 * Maximum number of roles of a principal. Each request of a caller reads all roles of the caller, and several responses
 * contain all roles of a principal.
 */
export const MAX_ROLES = 1000;

/** An organization or a project. */
export interface GrantPlace {
  readonly kind: ScopeKind;
  readonly id: string;
}

/**
 * Grants a role on an organization or project to a principal. The principal is an API key, user or team by its id, or
 * a service account by its client id. Granting a role again has no effect. Throws a TypeError for an organization
 * role on a project, and for a project role on an organization. Throws MAX_ROLES_EXCEEDED.
 */
export async function grantRole(tx: Tx, principalId: string, place: GrantPlace, role: Role): Promise<void> {
  if (roles[role].scope !== place.kind) throw new TypeError(`${role} cannot be granted on a ${place.kind}`);
  if (await holdRoles(tx, [principalId], MAX_ROLES)) throw accessFaults.MAX_ROLES_EXCEEDED(MAX_ROLES);
  await insertGrant(tx, rowOf(principalId, place, role));
  tx.touch(cacheKeys.principal(principalId));
}

export async function revokeRole(tx: Tx, principalId: string, place: GrantPlace, role: Role): Promise<void> {
  await deleteGrant(tx, rowOf(principalId, place, role));
  tx.touch(cacheKeys.principal(principalId));
}

/** Returns all grants on an organization or project: of keys, accounts, users and teams. */
export function grantsOn(tx: ReadTx, { kind, id }: GrantPlace): Promise<HeldGrant[]> {
  return grantsOnScopes(tx, kind, [id]);
}

export function grantsHeldBy(tx: ReadTx, principalIds: readonly string[]): Promise<HeldGrant[]> {
  return grantsOfPrincipals(tx, principalIds);
}

/** Replaces the roles on a scope; returns whether anything changed. */
export async function setRoles(
  tx: Tx,
  principalId: string,
  place: GrantPlace,
  wanted: readonly Role[],
): Promise<boolean> {
  const held = await rolesAt(tx, principalId, place);
  const missing = wanted.filter((role) => !held.includes(role));
  const surplus = held.filter((role) => !wanted.includes(role));
  for (const role of surplus) await revokeRole(tx, principalId, place, role);
  for (const role of missing) await grantRole(tx, principalId, place, role);
  return missing.length + surplus.length > 0;
}

/** Returns the roles that were granted on the scope itself. Implied roles are not included. */
export async function rolesAt(tx: ReadTx, principalId: string, place: GrantPlace): Promise<Role[]> {
  return (await rolesOn(tx, principalId, place.kind, place.id)).filter(isRole);
}

/**
 * Returns the number of API keys and service accounts that are owners of an organization. Without an owner, the
 * organization would be inaccessible.
 */
export async function countOwners(tx: ReadTx, orgId: string): Promise<number> {
  const callers = new Set(await principalsOf(tx, orgId));
  const held = await grantsOn(tx, { kind: 'org', id: orgId });
  return held.filter(({ role, principalId }) => role === 'ORG_OWNER' && callers.has(principalId)).length;
}

/** Revokes every role on an organization or project that is being deleted. */
export async function removeGrantsOf(tx: Tx, place: GrantPlace): Promise<void> {
  const holders = await deleteGrantsOn(tx, place.kind, place.id);
  tx.touch(...holders.map(cacheKeys.principal));
}

/** Deletes an API key or service account with its secrets, roles and access list. */
export async function removePrincipal(tx: Tx, id: string): Promise<void> {
  await deletePrincipals(tx, [id]);
  tx.touch(cacheKeys.principal(id));
}

/** Deletes the API keys and service accounts of an organization, and its other access data. */
export async function removePrincipalsOf(tx: Tx, orgId: string): Promise<void> {
  const ids = await principalsOf(tx, orgId);
  await deletePrincipals(tx, ids);
  await setListRequired(tx, orgId, false);
  await deleteRequests(tx, orgId);
  tx.touch(...ids.map(cacheKeys.principal), cacheKeys.listRequirement(orgId));
}

function rowOf(principalId: string, place: GrantPlace, role: Role) {
  return { principal_id: principalId, scope_kind: place.kind, scope_id: place.id, role };
}
