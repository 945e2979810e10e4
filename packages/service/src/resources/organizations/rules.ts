import { faults } from '@portolan/foundation/faults';
import type { Role } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { counter, countOf, type ReadTx } from '../../store/index.ts';
import { isName } from './names.ts';
import { findOrganization, type OrganizationRow } from './rows.ts';

export const organizationFaults = faults({
  ORG_NOT_FOUND: [404, 'No organization has the id {0}.'],
  INVALID_ORG_ID: [404, 'The organization id {0} is not 24 hexadecimal characters.'],
  INVALID_ORG_NAME: [
    400,
    "The organization name {0} is invalid: use 1 to 64 letters, digits, spaces or the characters -_.(),:&@+'.",
  ],
  ORG_NOT_EMPTY: [409, 'The organization still has projects.'],
  API_KEY_CANNOT_CREATE_ORG: [403, 'Only an owner of an organization may create another organization.'],
});

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
