import type { ReadTx } from '../../../store/index.ts';
import { findOrganization } from '../../organizations/index.ts';
import { rolesIn } from '../members/grants.ts';
import type { ProjectPlace } from '../members/rules.ts';
import type { InvitationRow } from './rows.ts';

/** An invitation as the organization knows it. */
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

/** An invitation as one project knows it, with its roles there. */
export function presentProjectInvitation({ groupId, name }: ProjectPlace, row: InvitationRow) {
  return { ...presentInvitation(row), groupId, groupName: name, roles: [...rolesIn(row, groupId)] };
}

/** What both show. */
function presentInvitation({ id, username, inviter, created, expires }: InvitationRow) {
  return { id, username, inviterUsername: inviter, createdAt: created, expiresAt: expires };
}
