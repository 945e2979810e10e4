import { grantsHeldBy, MAX_ROLES } from '../../../access/index.ts';
import type { Actor } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import { atMost, countRoles, type MemberGrants, mergeGrants, withRole } from '../model/grants.ts';
import { findInvitationOf } from '../model/invitations/rows.ts';
import { membershipOfUser } from '../model/membership.ts';
import { isLastOwner } from '../model/rules.ts';
import { changeMember, joinOrganization, removeMember } from './changes.ts';

/** Roles that a login gives a user in one organization. */
export interface LoginGrants {
  readonly grants: Omit<MemberGrants, 'teamIds'>;
  /** Whether these roles replace the present roles of the user. Otherwise, they are added. */
  readonly replace: boolean;
}

/** Whether a person is invited to an organization. */
export async function isInvited(tx: ReadTx, orgId: string, userId: string): Promise<boolean> {
  return (await findInvitationOf(tx, orgId, userId)) !== undefined;
}

/**
 * Gives a user the roles of a login. A user without roles leaves the organization. The last owner stays an owner, as the
 * organization would be without an owner. If the user would have more than `MAX_ROLES` roles, the login leaves out roles
 * in the last projects, because otherwise the user could not log in at all.
 */
export async function applyLoginGrants(
  tx: Tx,
  actor: Actor,
  { orgId, user }: { readonly orgId: string; readonly user: UserRow },
  { grants, replace }: LoginGrants,
): Promise<void> {
  const member = await membershipOfUser(tx, orgId, user);
  const elsewhere = (await grantsHeldBy(tx, [user.id])).length - countRoles(member.grants);
  const room = Math.max(0, MAX_ROLES - elsewhere);
  const isEmpty = grants.roles.length === 0 && grants.assignments.length === 0;
  if (member.grants.roles.length === 0) {
    const invitation = await findInvitationOf(tx, orgId, user.id);
    const added = atMost({ ...grants, teamIds: invitation?.teamIds ?? [] }, room);
    const all = invitation && !replace ? atMost(mergeGrants(invitation, added), room) : added;
    if (all.roles.length > 0 || all.assignments.length > 0)
      await joinOrganization(tx, actor, { orgId, user }, all);
    return;
  }
  const given = atMost({ ...grants, teamIds: member.grants.teamIds }, room);
  const isOwner = await isLastOwner(tx, member);
  if (replace && isEmpty && !isOwner) return removeMember(tx, actor, member);
  const wanted = replace ? given : mergeGrants(member.grants, given);
  const roles = isOwner ? withRole(wanted.roles, 'ORG_OWNER') : wanted.roles;
  await changeMember(tx, actor, member, atMost({ ...wanted, roles }, room));
}
