import { missingRole, type RolePhrase, type Scope } from '../../../access/index.ts';
import type { ClusterSettings } from '../model/settings.ts';

interface Permissions {
  readonly scope: Scope | undefined;
  may(phrase: RolePhrase, scope: Scope): boolean;
}

/** The role that may change the termination protection. The OpenAPI documents of the operations show it. */
export const protectionAccess = { role: 'Project Owner', of: 'terminationProtectionEnabled' } as const;

/** Throws if a caller who may not delete a cluster changes its termination protection. */
export function assertMayProtect(
  { scope, may }: Permissions,
  before: ClusterSettings,
  { terminationProtectionEnabled: named }: ClusterSettings,
): void {
  if (named === undefined || named === (before.terminationProtectionEnabled === true)) return;
  if (scope === undefined || !may(protectionAccess.role, scope)) throw missingRole(protectionAccess.role);
}
