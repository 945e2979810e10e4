import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { userFaults } from '../../accounts/index.ts';
import { rolesIn } from '../model/grants.ts';
import { findInvitation, type InvitationRow, invitationsTo } from '../model/invitations/rows.ts';

/** Whether an invitation is visible in an organization, or in one of its projects. */
export type InvitationScope = (invitation: InvitationRow) => boolean;

/**
 * Whether a person is invited to the organization. An invitation of an existing member to a project contains no
 * organization role.
 */
export const toOrganization: InvitationScope = ({ roles }) => roles.length > 0;

export const toProject =
  (groupId: string): InvitationScope =>
  (invitation) =>
    rolesIn(invitation, groupId).length > 0;

/**
 * Returns the open invitations that are visible in a scope, oldest first. With `username`, returns only those for this
 * name, regardless of case.
 */
export async function invitationsWithin(
  tx: ReadTx,
  orgId: string,
  scope: InvitationScope,
  username?: string,
): Promise<InvitationRow[]> {
  const name = username?.toLowerCase();
  const all = (await invitationsTo(tx, orgId)).filter(scope);
  return name === undefined ? all : all.filter((one) => one.username.toLowerCase() === name);
}

/** Returns an open invitation. Throws RESOURCE_NOT_FOUND if there is none, or if it has expired. */
export async function requireInvitation(
  tx: ReadTx,
  at: { readonly orgId: string; readonly invitationId: string },
  scope: InvitationScope,
): Promise<InvitationRow> {
  const found = await findInvitation(tx, at.invitationId);
  if (!found || found.orgId !== at.orgId || !scope(found)) throw invitationNotFound(at.invitationId);
  return found;
}

/** Returns the open invitation for a user name. Throws USERNAME_NOT_FOUND. */
export async function requireInvitationNamed(
  tx: ReadTx,
  orgId: string,
  scope: InvitationScope,
  username: string,
): Promise<InvitationRow> {
  const [found] = await invitationsWithin(tx, orgId, scope, username);
  if (!found) throw userFaults.USERNAME_NOT_FOUND(username);
  return found;
}

export function invitationNotFound(id: string) {
  return generalFaults.RESOURCE_NOT_FOUND(`Invitation with id ${id}`);
}
