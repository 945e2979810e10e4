import type { Place } from '../../api/rights.ts';
import { groupRoles, orgRoles } from '../../api/roles.ts';

/** An organization or project in which people, keys and service accounts have roles. */
export interface AccessPlace extends Place {
  /** The path in the API. */
  readonly path: string;
  /** The address of the page. */
  readonly address: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly isOwner: boolean;
}

export interface InPlace {
  readonly place: AccessPlace;
}

export const organizationPlace = (orgId: string, isOwner: boolean): AccessPlace => ({
  orgId,
  isOwner,
  path: `/orgs/${orgId}`,
  address: `/organizations/${orgId}/access`,
  roles: orgRoles,
});

export const projectPlace = (orgId: string, groupId: string, isOwner: boolean): AccessPlace => ({
  orgId,
  groupId,
  isOwner,
  path: `/groups/${groupId}`,
  address: `/projects/${groupId}/people`,
  roles: groupRoles,
});

interface RoleAssignment {
  readonly roleName: string;
  readonly orgId?: string;
  readonly groupId?: string;
}

/** Returns the roles of a list that were granted in this organization or project itself. */
export const rolesIn = ({ orgId, groupId }: Place, roles: readonly RoleAssignment[]): readonly string[] =>
  roles
    .filter((role) => (groupId === undefined ? role.orgId === orgId : role.groupId === groupId))
    .map(({ roleName }) => roleName);
