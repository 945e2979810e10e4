import { accessFaults, type RolePhrase, type Scope } from '../../../access/index.ts';
import type { ClusterSettings } from '../model/settings.ts';

interface Asking {
  readonly scope: Scope | undefined;
  may(phrase: RolePhrase, scope: Scope): boolean;
}

/** Who may change whether a cluster can be deleted, for the documents of operations. */
export const protectionAccess = { role: 'Project Owner', of: 'terminationProtectionEnabled' } as const;

/** Throws where a caller who may not delete a cluster would change whether it can be deleted. */
export function assertMayProtect(
  { scope, may }: Asking,
  before: ClusterSettings,
  { terminationProtectionEnabled: named }: ClusterSettings,
): void {
  if (named === undefined || named === (before.terminationProtectionEnabled === true)) return;
  if (scope === undefined || !may(protectionAccess.role, scope)) throw accessFaults.USER_UNAUTHORIZED();
}
