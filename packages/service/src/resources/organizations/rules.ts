import type { Role } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { counter, countOf, type ReadTx } from '../../store/index.ts';
import { organizationFaults } from './faults.ts';
import { isName } from './names.ts';
import { findOrganization, type OrganizationRow } from './rows.ts';

export function checkOrganizationName(name: string): void {
  if (!isName(name)) throw organizationFaults.INVALID_ORG_NAME(name);
}

/** Who has access to a new organization at first: an API key, an owner, or both. */
export interface InitialAccess {
  readonly apiKey: { readonly desc: string; readonly roles: readonly Role[] } | undefined;
  readonly ownerId: string | undefined;
}

/** Throws if the organization would have no owner, so that nobody could grant roles or delete it. */
export function assertWillHaveOwner({ apiKey, ownerId }: InitialAccess): void {
  if (ownerId !== undefined || apiKey?.roles.includes('ORG_OWNER')) return;
  if (apiKey === undefined) throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('apiKey', 'orgOwnerId');
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
