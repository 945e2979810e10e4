import type { Role } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import { type Membership, membershipOfUser } from '../model/membership.ts';
import type { OrganizationMemberView, ProjectMemberView, User } from '../schema.ts';

/** The result of a handler, to which the HTTP layer adds links. */
type WithoutLinks<T> = Omit<T, 'links'>;

export function presentOrganizationMember({
  orgId,
  userId,
  username,
  user,
  invitation,
  grants,
}: Membership): WithoutLinks<OrganizationMemberView> {
  const common = {
    id: userId,
    orgId,
    username,
    roles: {
      groupRoleAssignments: grants.assignments.map(({ groupId, roles }) => ({
        groupId,
        groupRoles: [...roles],
      })),
      // `orgRoles` is empty if the person is invited only to a project. A person who accepts such an invitation also
      // becomes a member of the organization.
      orgRoles: [...grants.roles],
    },
    teamIds: [...grants.teamIds],
  };
  if (user) return { ...common, ...presentProfile(user), orgMembershipStatus: 'ACTIVE' };
  return {
    ...common,
    orgMembershipStatus: 'PENDING',
    ...(invitation && {
      invitationCreatedAt: invitation.created,
      invitationExpiresAt: invitation.expires,
      inviterUsername: invitation.inviter,
    }),
  };
}

/** Presents a member as a project sees it, with the roles in the project. */
export function presentProjectMember(
  membership: Membership,
  roles: readonly Role[],
): WithoutLinks<ProjectMemberView> {
  const everywhere = presentOrganizationMember(membership);
  return { ...everywhere, roles: [...roles], everywhere };
}

/** Presents a member in the shape of versions whose lists contain no invitations. */
export function presentLegacyMember(member: WithoutLinks<OrganizationMemberView>): WithoutLinks<User> {
  const { orgId, id, username, roles, teamIds } = member;
  const inOrg = roles.orgRoles.map((roleName) => ({ orgId, roleName }));
  const inGroups = roles.groupRoleAssignments.flatMap(({ groupId, groupRoles }) =>
    groupRoles.map((roleName) => ({ groupId, roleName })),
  );
  const { country = '', firstName = '', lastName = '', mobileNumber = '', createdAt, lastAuth } = member;
  return {
    ...{ id, username, country, firstName, lastName, mobileNumber, teamIds },
    ...(createdAt !== undefined && { createdAt }),
    ...(lastAuth !== undefined && { lastAuth }),
    emailAddress: username,
    roles: [...inOrg, ...inGroups],
  };
}

function presentProfile({ created, firstName, lastName, country, mobileNumber, lastAuth }: UserRow) {
  const profile = { createdAt: created, firstName, lastName, country, mobileNumber };
  return lastAuth === undefined ? profile : { ...profile, lastAuth };
}

/** Presents a user, with the roles in some organizations. */
export async function presentUser(
  tx: ReadTx,
  user: UserRow,
  orgIds: readonly string[],
): Promise<WithoutLinks<User>> {
  const { id, username } = user;
  const members: WithoutLinks<User>[] = [];
  for (const orgId of orgIds) {
    const membership = await membershipOfUser(tx, orgId, user);
    members.push(presentLegacyMember(presentOrganizationMember(membership)));
  }
  return {
    ...{ id, username, emailAddress: username, ...presentProfile(user) },
    roles: members.flatMap((member) => member.roles ?? []),
    teamIds: members.flatMap((member) => member.teamIds ?? []),
  };
}
