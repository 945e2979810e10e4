import { type GrantPlace, type Role, removePrincipal, setRoles } from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { assertHasOwner, orgIdOf, type Principal, principalIdOf, rolesIn } from './rules.ts';
import { endWarning } from './service-accounts/warnings.ts';

/** The user who changes a key or service account, and the organization or project of the change. */
export interface ChangeContext {
  readonly actor: Actor;
  readonly orgId: string;
  readonly groupId?: string;
}

/** Returns the context of a change from the request and from the organization or project in its path. */
export function changeContext(call: Pick<Call, 'scope' | 'actor'>): ChangeContext {
  const { scope, actor } = call;
  return { actor, orgId: orgIdOf(call), ...(scope?.kind === 'group' ? { groupId: scope.id } : {}) };
}

/** Roles of a new key or service account, by scope. */
export type InitialRoles = readonly (readonly [place: GrantPlace, roles: readonly Role[]])[];

/** Replaces the roles of a key or service account at a scope. */
export async function setCallerRoles(
  tx: Tx,
  at: ChangeContext,
  principal: Principal,
  { place, roles }: { readonly place: GrantPlace; readonly roles: readonly Role[] },
): Promise<void> {
  if (!(await setRoles(tx, principalIdOf(principal), place, roles))) return;
  if (place.kind === 'org') {
    await assertHasOwner(tx, place.id, principal.grants, 'CANNOT_DEMOTE_LAST_ORG_OWNER');
  }
  const isNew = place.kind === 'group' && rolesIn(principal.grants, place).length === 0;
  await recordChange(tx, at, principal, isNew ? 'ADDED_TO_GROUP' : 'ROLES_CHANGED');
}

/** Removes all roles of a key or service account on a project. It stays in the organization. */
export async function removeFromProject(
  tx: Tx,
  at: ChangeContext,
  principal: Principal,
  groupId: string,
): Promise<void> {
  await setRoles(tx, principalIdOf(principal), { kind: 'group', id: groupId }, []);
  await recordChange(tx, at, principal, 'REMOVED_FROM_GROUP');
}

/** Deletes a key or service account. Throws if it is the only key or service account that owns the organization. */
export async function removeCaller(tx: Tx, at: ChangeContext, principal: Principal): Promise<void> {
  if ('clientId' in principal) await endWarning(tx, principal);
  await removePrincipal(tx, principalIdOf(principal));
  await assertHasOwner(tx, at.orgId, principal.grants, 'CANNOT_DELETE_LAST_ADMIN');
  await recordChange(tx, at, principal, 'DELETED');
}

/**
 * Changes that API keys and service accounts have in common. An event type consists of the prefix `API_KEY_` or
 * `SERVICE_ACCOUNT_` and one of these names.
 */
type CommonChange =
  | 'ACCESS_LIST_ENTRY_ADDED'
  | 'ACCESS_LIST_ENTRY_DELETED'
  | 'ADDED_TO_GROUP'
  | 'CREATED'
  | 'DELETED'
  | 'REMOVED_FROM_GROUP'
  | 'ROLES_CHANGED';
type KeyChange = 'DESCRIPTION_CHANGED';
type AccountChange = 'DETAILS_CHANGED' | 'SECRET_ADDED' | 'SECRET_DELETED';

/** Records a change as an event, such as `API_KEY_DELETED` or `SERVICE_ACCOUNT_SECRET_ADDED`. */
export async function recordChange<P extends Principal>(
  tx: Tx,
  { actor, orgId, groupId }: ChangeContext,
  principal: P,
  change: CommonChange | (P extends { readonly publicKey: string } ? KeyChange : AccountChange),
  details: object = {},
): Promise<void> {
  // In an event about a service account, the field for a user name contains the client id.
  const [kind, target] =
    'publicKey' in principal
      ? ['API_KEY', { targetPublicKey: principal.publicKey }]
      : ['SERVICE_ACCOUNT', { targetUsername: principal.clientId }];
  await recordEvent(tx, {
    type: `${kind}_${change}`,
    orgId,
    ...(groupId === undefined ? {} : { groupId }),
    actor,
    details: { ...target, ...details },
  });
}
