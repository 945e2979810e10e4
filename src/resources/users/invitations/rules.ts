import type { Role } from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { userFaults } from '../../accounts/index.ts';
import { rolesIn } from '../members/member.ts';
import { findInvitation, type InvitationRow, invitationsTo, type Offer } from './rows.ts';

/** Which invitations of an organization somebody may see: those to itself, or those to one of its projects. */
export type Reach = (invitation: InvitationRow) => boolean;

/** A member's own invitation to a project offers nothing in the organization. */
export const toOrganization: Reach = ({ roles }) => roles.length > 0;

export const toProject =
  (groupId: string): Reach =>
  (invitation) =>
    rolesIn(invitation, groupId).length > 0;

/** In the order of their making. */
export async function invitationsWithin(
  tx: ReadTx,
  orgId: string,
  reach: Reach,
  username?: string,
): Promise<InvitationRow[]> {
  const name = username?.toLowerCase();
  const all = (await invitationsTo(tx, orgId)).filter(reach);
  return name === undefined ? all : all.filter((one) => one.username.toLowerCase() === name);
}

/** Throws RESOURCE_NOT_FOUND, also for one that has expired. */
export async function existingInvitation(
  tx: ReadTx,
  at: { readonly orgId: string; readonly invitationId: string },
  reach: Reach,
): Promise<InvitationRow> {
  const found = await findInvitation(tx, at.invitationId);
  if (!found || found.orgId !== at.orgId || !reach(found)) throw noInvitation(at.invitationId);
  return found;
}

export async function invitationOf(
  tx: ReadTx,
  orgId: string,
  reach: Reach,
  username: string,
): Promise<InvitationRow> {
  const [found] = await invitationsWithin(tx, orgId, reach, username);
  if (!found) throw userFaults.USERNAME_NOT_FOUND(username);
  return found;
}

export function noInvitation(id: string) {
  return generalFaults.RESOURCE_NOT_FOUND(`Invitation with id ${id}`);
}

export interface OfferedChange {
  readonly roles?: readonly Role[];
  readonly teamIds?: readonly string[];
  readonly groupRoleAssignments?: readonly { readonly groupId: string; readonly roles?: readonly Role[] }[];
}

/** An offer in which what a body names has taken the place of what was. */
export function offerAfter(before: Offer, { roles, teamIds, groupRoleAssignments }: OfferedChange): Offer {
  return {
    roles: roles ?? before.roles,
    teamIds: teamIds ?? before.teamIds,
    assignments:
      groupRoleAssignments?.map((one) => ({ groupId: one.groupId, roles: one.roles ?? [] })) ??
      before.assignments,
  };
}
