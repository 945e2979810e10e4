import type { ReadTx } from '../../../store/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { rolesIn } from '../model/grants.ts';
import type { InvitationRow } from '../model/invitations/rows.ts';
import type { ProjectRef } from '../model/rules.ts';

/** Presents an invitation as the organization sees it. */
export async function presentOrganizationInvitation(tx: ReadTx, row: InvitationRow) {
  const { orgId, assignments, teamIds, roles } = row;
  return {
    ...presentInvitation(row),
    groupRoleAssignments: assignments.flatMap(({ groupId, roles: inGroup }) =>
      inGroup.map((groupRole) => ({ groupId, groupRole })),
    ),
    orgId,
    orgName: (await findOrganization(tx, orgId))?.name ?? '',
    roles: [...roles],
    teamIds: [...teamIds],
  };
}

/** Presents an invitation as a project sees it, with the roles in the project. */
export function presentProjectInvitation({ groupId, name }: ProjectRef, row: InvitationRow) {
  return { ...presentInvitation(row), groupId, groupName: name, roles: [...rolesIn(row, groupId)] };
}

/** Presents the fields of an invitation that both views have in common. */
function presentInvitation({ id, username, inviter, created, expires }: InvitationRow) {
  return { id, username, inviterUsername: inviter, createdAt: created, expiresAt: expires };
}
