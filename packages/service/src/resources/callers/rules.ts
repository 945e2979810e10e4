import {
  type ApiKey,
  countOwners,
  type Grant,
  type GrantPlace,
  missingRole,
  type Role,
  roles,
  type ServiceAccount,
} from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import type { Tx } from '../../store/index.ts';
import { callerFaults } from './faults.ts';

/** A caller that is not a person: an API key or a service account. */
export type Principal = ApiKey | ServiceAccount;

/** Returns the id under which the store has the grants of a caller. */
export function principalIdOf(principal: Principal): string {
  return 'publicKey' in principal ? principal.id : principal.clientId;
}

/** Returns the roles without duplicates. Throws for a role that cannot be granted on the scope. */
export function rolesFor(place: GrantPlace, names: readonly Role[]): Role[] {
  const wrong = names.find((name) => roles[name].scope !== place.kind);
  if (wrong === undefined) return [...new Set(names)];
  throw place.kind === 'org'
    ? callerFaults.INVALID_ROLE_FOR_ORG(wrong, place.id)
    : callerFaults.INVALID_ROLE_FOR_GROUP(wrong, place.id);
}

/** Returns the roles granted on the scope itself. */
export function rolesIn(grants: readonly Grant[], place: GrantPlace): Role[] {
  const here = grants.filter(({ scope, id }) => scope === place.kind && id === place.id);
  return here.map(({ role }) => role as Role);
}

/** Returns the organization of the path or, for the path of a project, the organization that owns the project. */
export function orgIdOf({ scope }: Pick<Call, 'scope'>): string {
  if (scope === undefined) throw new TypeError('The path has neither an organization nor a project');
  return scope.kind === 'org' ? scope.id : scope.orgId;
}

/**
 * Prevents privilege escalation. Project owners may add any key or account of the organization to their project, even
 * if it has roles that they may not grant. They may not manage the secrets and addresses of such a key or account: this
 * function rejects their requests.
 */
export function assertMayManage(call: Pick<Call, 'may' | 'scope'>, grants: readonly Grant[]): void {
  const orgId = orgIdOf(call);
  const callerMay = ({ scope, id, role }: Grant) => {
    if (scope === 'group') return call.may('Project Owner', { kind: 'group', id, orgId });
    return role === 'ORG_MEMBER' || call.may('Organization Owner', { kind: 'org', id });
  };
  const beyond = grants.find((grant) => !callerMay(grant));
  if (beyond) throw missingRole(beyond.scope === 'group' ? 'Project Owner' : 'Organization Owner');
}

/** Throws if a change would leave an organization without a key or service account that owns it. */
export async function assertHasOwner(
  tx: Tx,
  orgId: string,
  before: readonly Grant[],
  fault: 'CANNOT_DEMOTE_LAST_ORG_OWNER' | 'CANNOT_DELETE_LAST_ADMIN',
): Promise<void> {
  const wasOwner = rolesIn(before, { kind: 'org', id: orgId }).includes('ORG_OWNER');
  if (wasOwner && (await countOwners(tx, orgId)) === 0) throw callerFaults[fault]();
}
