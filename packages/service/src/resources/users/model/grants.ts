import type { Role } from '../../../access/index.ts';

/** Roles in one project. */
export interface Assignment {
  readonly groupId: string;
  readonly roles: readonly Role[];
}

/** The grants of a member in an organization. For an invited person, the grants after acceptance. */
export interface MemberGrants {
  /** Roles in the organization. Empty in an invitation of an existing member to a project. */
  readonly roles: readonly Role[];
  readonly assignments: readonly Assignment[];
  readonly teamIds: readonly string[];
}

export const noGrants: MemberGrants = { roles: [], assignments: [], teamIds: [] };

/** The grants in a request. Absent fields stay unchanged. */
export interface GrantsRequest {
  readonly roles?: readonly Role[] | undefined;
  readonly teamIds?: readonly string[] | undefined;
  readonly groupRoleAssignments?:
    | readonly { readonly groupId: string; readonly roles?: readonly Role[] | undefined }[]
    | undefined;
}

/** Returns the grants after a request. The fields of the request replace the previous values. */
export function requestedGrants(before: MemberGrants, request: GrantsRequest): MemberGrants {
  const { roles, teamIds, groupRoleAssignments } = request;
  return {
    roles: roles ?? before.roles,
    teamIds: teamIds ?? before.teamIds,
    assignments:
      groupRoleAssignments?.map((one) => ({ groupId: one.groupId, roles: one.roles ?? [] })) ??
      before.assignments,
  };
}

/** Returns the roles in one project. */
export function rolesIn(
  { assignments }: Pick<MemberGrants, 'assignments'>,
  groupId: string,
): readonly Role[] {
  return assignments.find((assignment) => assignment.groupId === groupId)?.roles ?? [];
}

/** Replaces the roles in one project. Empty roles remove the project. */
export function withRolesIn(grants: MemberGrants, groupId: string, roles: readonly Role[]): MemberGrants {
  const others = grants.assignments.filter((assignment) => assignment.groupId !== groupId);
  return { ...grants, assignments: roles.length === 0 ? others : [...others, { groupId, roles }] };
}

/** Returns the union of two sets of grants. */
export function mergeGrants(left: MemberGrants, right: MemberGrants): MemberGrants {
  const merged: MemberGrants = {
    roles: union(left.roles, right.roles),
    assignments: left.assignments,
    teamIds: union(left.teamIds, right.teamIds),
  };
  return right.assignments.reduce(
    (grants, { groupId, roles }) => withRolesIn(grants, groupId, union(rolesIn(left, groupId), roles)),
    merged,
  );
}

export function withRole(roles: readonly Role[], role: Role): readonly Role[] {
  return union(roles, [role]);
}

export function withoutRole(roles: readonly Role[], role: Role): readonly Role[] {
  return roles.filter((held) => held !== role);
}

export function isSameRoles(left: readonly Role[], right: readonly Role[]): boolean {
  return left.length === right.length && left.every((role) => right.includes(role));
}

/** Returns the assignments to those projects to which `others` has no assignment. */
export function assignmentsWithout(
  assignments: readonly Assignment[],
  others: readonly Assignment[],
): readonly Assignment[] {
  return assignments.filter(({ groupId }) => others.every((other) => other.groupId !== groupId));
}

/** Returns the number of roles in an organization and its projects. */
export function countRoles({ roles, assignments }: Omit<MemberGrants, 'teamIds'>): number {
  return assignments.reduce((count, assignment) => count + assignment.roles.length, roles.length);
}

/**
 * Returns at most `most` roles: first those in the organization, and then those in the projects, in their order. Leaves out
 * whole projects.
 */
export function atMost(grants: MemberGrants, most: number): MemberGrants {
  const roles = grants.roles.slice(0, most);
  let left = most - roles.length;
  const assignments = grants.assignments.filter((assignment) => {
    left -= assignment.roles.length;
    return left >= 0;
  });
  return { ...grants, roles, assignments };
}

function union<T>(left: readonly T[], right: readonly T[]): T[] {
  return [...new Set([...left, ...right])];
}
