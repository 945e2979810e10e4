import type { Role } from '../../access/index.ts';
import { badValue, generalFaults } from '../../api/faults.ts';
import { counter, countOf, type ReadTx } from '../../store/index.ts';
import { organizationFaults } from './faults.ts';
import { isName } from './names.ts';
import { findOrganization, type OrganizationRow } from './rows.ts';
import type { FirstServiceAccount } from './service-accounts.ts';

export function checkOrganizationName(name: string): void {
  if (!isName(name)) throw organizationFaults.INVALID_ORG_NAME(name);
}

/** Who has access to a new organization at first: an API key or a service account, an owner, or both. */
export interface InitialAccess {
  readonly apiKey: { readonly desc: string; readonly roles: readonly Role[] } | undefined;
  readonly serviceAccount: FirstServiceAccount | undefined;
  readonly ownerId: string | undefined;
}

/**
 * Throws if the organization would have no owner, so that nobody could grant roles or delete it. Throws for an API key
 * together with a service account.
 */
export function checkAccess({ apiKey, serviceAccount, ownerId }: InitialAccess): void {
  if (apiKey && serviceAccount) throw badValue('serviceAccount', 'is not allowed together with apiKey');
  const caller = apiKey ?? serviceAccount;
  if (ownerId !== undefined || caller?.roles.includes('ORG_OWNER')) return;
  if (caller === undefined) throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('apiKey', 'orgOwnerId');
  throw generalFaults.MISSING_ATTRIBUTE('orgOwnerId');
}

/** Counts the projects of an organization. Updated when a project is created, moved or deleted. */
export const projectCount = counter('org', 'projects');

/** Returns the organization with this id. Throws ORG_NOT_FOUND. */
export async function requireOrganization(tx: ReadTx, orgId: string): Promise<OrganizationRow> {
  const row = await findOrganization(tx, orgId);
  if (!row) throw organizationFaults.ORG_NOT_FOUND(orgId);
  return row;
}

export async function assertHasNoProjects(tx: ReadTx, orgId: string): Promise<void> {
  if ((await countOf(tx, projectCount, orgId)) > 0) throw organizationFaults.ORG_NOT_EMPTY();
}
