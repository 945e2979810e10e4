import type { Role } from '../../../access/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import type { OrganizationMemberView, ProjectMemberView, User } from '../schema.ts';
import type { Standing } from './member.ts';

type Shown<T> = Omit<T, 'links'>;

export function organizationView({
  orgId,
  userId,
  username,
  user,
  invitation,
  offer,
}: Standing): Shown<OrganizationMemberView> {
  const common = {
    id: userId,
    orgId,
    username,
    roles: {
      groupRoleAssignments: offer.assignments.map(({ groupId, roles }) => ({
        groupId,
        groupRoles: [...roles],
      })),
      // Whoever is invited to a project alone becomes a member of its organization by accepting.
      orgRoles: [...offer.roles],
    },
    teamIds: [...offer.teamIds],
  };
  if (user) return { ...common, ...profileOf(user), orgMembershipStatus: 'ACTIVE' };
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

/** A member as one project knows it, with its roles there. */
export function projectView(standing: Standing, roles: readonly Role[]): Shown<ProjectMemberView> {
  const everywhere = organizationView(standing);
  return { ...everywhere, roles: [...roles], everywhere };
}

/** A member in the shape that lists had before invitations were part of them. */
export function formerView(member: Shown<OrganizationMemberView>): Shown<User> {
  const { orgId, id, username, roles, teamIds } = member;
  const inOrg = roles.orgRoles.map((roleName) => ({ orgId, roleName }));
  const inGroups = roles.groupRoleAssignments.flatMap(({ groupId, groupRoles }) =>
    groupRoles.map((roleName) => ({ groupId, roleName })),
  );
  const { country = '', firstName = '', lastName = '', mobileNumber = '', createdAt } = member;
  return {
    ...{ id, username, country, firstName, lastName, mobileNumber, teamIds },
    ...(createdAt !== undefined && { createdAt }),
    emailAddress: username,
    roles: [...inOrg, ...inGroups],
  };
}

export function profileOf({ created, firstName, lastName, country, mobileNumber }: UserRow) {
  return { createdAt: created, firstName, lastName, country, mobileNumber };
}
