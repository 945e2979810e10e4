import {
  type ApiKey,
  accessFaults,
  countOwners,
  type Grant,
  type GrantPlace,
  type Role,
  roles,
  type ServiceAccount,
} from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import type { Tx } from '../../store/index.ts';
import { callerFaults } from './faults.ts';

/** What both kinds of callers have in common. */
export type Principal = ApiKey | ServiceAccount;

/** The id by which rows know a caller. */
export function principalIdOf(principal: Principal): string {
  return 'publicKey' in principal ? principal.id : principal.clientId;
}

/** The roles, each once. Throws for one that cannot be held at the place. */
export function rolesFor(place: GrantPlace, names: readonly Role[]): Role[] {
  const wrong = names.find((name) => roles[name].scope !== place.kind);
  if (wrong === undefined) return [...new Set(names)];
  throw place.kind === 'org'
    ? callerFaults.INVALID_ROLE_FOR_ORG(wrong, place.id)
    : callerFaults.INVALID_ROLE_FOR_GROUP(wrong, place.id);
}

/** The roles among some grants that were given at a place itself. */
export function rolesIn(grants: readonly Grant[], place: GrantPlace): Role[] {
  const here = grants.filter(({ scope, id }) => scope === place.kind && id === place.id);
  return here.map(({ role }) => role as Role);
}

/** The organization of the path, or that of the project of the path. */
export function orgIdOf({ scope }: Pick<Call, 'scope'>): string {
  if (scope === undefined) throw new TypeError('A path without an organization or a project');
  return scope.kind === 'org' ? scope.id : scope.orgId;
}

/**
 * Throws for a caller who would gain from what it changes. The owners of a project may take any key or account of the
 * organization in; they may not get at the secrets or the addresses of one that may do more elsewhere than they.
 */
export function assertNotStronger(call: Pick<Call, 'may' | 'scope'>, grants: readonly Grant[]): void {
  const orgId = orgIdOf(call);
  const mayAsMuch = ({ scope, id, role }: Grant) => {
    if (scope === 'group') return call.may('Project Owner', { kind: 'group', id, orgId });
    return role === 'ORG_MEMBER' || call.may('Organization Owner', { kind: 'org', id });
  };
  if (!grants.every(mayAsMuch)) throw accessFaults.USER_UNAUTHORIZED();
}

/** Throws when a change leaves an organization without a key or an account that could call as its owner. */
export async function assertOwned(
  tx: Tx,
  orgId: string,
  before: readonly Grant[],
  fault: 'CANNOT_DEMOTE_LAST_ORG_OWNER' | 'CANNOT_DELETE_LAST_ADMIN',
): Promise<void> {
  const wasOwner = rolesIn(before, { kind: 'org', id: orgId }).includes('ORG_OWNER');
  if (wasOwner && (await countOwners(tx, orgId)) === 0) throw callerFaults[fault]();
}
