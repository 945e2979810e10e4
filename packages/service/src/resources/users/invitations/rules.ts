import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { findUserNamed, userFaults } from '../../accounts/index.ts';
import { rolesIn } from '../members/grants.ts';
import { findInvitation, findInvitedUserId, type InvitationRow, invitationsTo } from './rows.ts';

/** Which invitations of an organization somebody may see: those to itself, or those to one of its projects. */
export type Reach = (invitation: InvitationRow) => boolean;

/** A member who is invited to a project is granted nothing in the organization itself. */
export const toOrganization: Reach = ({ roles }) => roles.length > 0;

export const toProject =
  (groupId: string): Reach =>
  (invitation) =>
    rolesIn(invitation, groupId).length > 0;

/** The invitations that somebody may see, or the one of a name, in the order of their making. */
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
export async function requireInvitation(
  tx: ReadTx,
  at: { readonly orgId: string; readonly invitationId: string },
  reach: Reach,
): Promise<InvitationRow> {
  const found = await findInvitation(tx, at.invitationId);
  if (!found || found.orgId !== at.orgId || !reach(found)) throw invitationNotFound(at.invitationId);
  return found;
}

/** The open invitation of a name. Throws USERNAME_NOT_FOUND. */
export async function requireInvitationNamed(
  tx: ReadTx,
  orgId: string,
  reach: Reach,
  username: string,
): Promise<InvitationRow> {
  const [found] = await invitationsWithin(tx, orgId, reach, username);
  if (!found) throw userFaults.USERNAME_NOT_FOUND(username);
  return found;
}

export function invitationNotFound(id: string) {
  return generalFaults.RESOURCE_NOT_FOUND(`Invitation with id ${id}`);
}

/** The id of a person, who has one from the first invitation on, with an account or without. */
export async function findPersonId(tx: ReadTx, username: string): Promise<string | undefined> {
  return (await findUserNamed(tx, username))?.id ?? (await findInvitedUserId(tx, username));
}
