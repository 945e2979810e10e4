import { faults } from '@portolan/foundation/faults';
import type { Role } from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { counter, countOf, type ReadTx } from '../../store/index.ts';
import { isName } from './names.ts';
import { findOrganization, type OrganizationRow } from './rows.ts';

export const organizationFaults = faults({
  ORG_NOT_FOUND: [404, 'No organization with id {0} exists.'],
  INVALID_ORG_ID: [404, 'The organization id {0} is not 24 hexadecimal characters.'],
  INVALID_ORG_NAME: [
    400,
    "The organization name {0} is not 1 to 64 letters, digits, spaces and -_.(),:&@+'.",
  ],
  ORG_NOT_EMPTY: [409, 'The organization still holds projects.'],
  API_KEY_CANNOT_CREATE_ORG: [403, 'Only an owner of an organization may make another one.'],
});

export function checkOrganizationName(name: string): void {
  if (!isName(name)) throw organizationFaults.INVALID_ORG_NAME(name);
}

/** Who can reach a new organization: the holder of a key, a user, or both. */
export interface FirstReach {
  readonly apiKey: { readonly desc: string; readonly roles: readonly Role[] } | undefined;
  readonly ownerId: string | undefined;
}

/** Nobody could give roles, or remove it, in an organization that begins without a key or a user who owns it. */
export function assertWillBeOwned({ apiKey, ownerId }: FirstReach): void {
  if (ownerId !== undefined || apiKey?.roles.includes('ORG_OWNER')) return;
  if (apiKey === undefined) throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('apiKey', 'orgOwnerId');
  throw generalFaults.MISSING_ATTRIBUTE('orgOwnerId');
}

/** The projects of an organization, counted by whoever makes, moves and deletes one. */
export const projectCount = counter('org', 'projects');

/** The organization of a path. */
export async function requireOrganization(tx: ReadTx, orgId: string): Promise<OrganizationRow> {
  const row = await findOrganization(tx, orgId);
  if (!row) throw organizationFaults.ORG_NOT_FOUND(orgId);
  return row;
}

export async function assertHoldsNoProjects(tx: ReadTx, orgId: string): Promise<void> {
  if ((await countOf(tx, projectCount, orgId)) > 0) throw organizationFaults.ORG_NOT_EMPTY();
}
