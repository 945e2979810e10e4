import type { GroupPath } from '../../api/resources.ts';
import type { Place } from '../../api/rights.ts';
import { groupRoles, orgRoles } from '../../api/roles.ts';

interface RolePlace extends Place {
  /** The address of the page. */
  readonly address: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly isOwner: boolean;
}

export interface OrganizationPlace extends RolePlace {
  readonly groupId?: never;
  /** The path in the API. */
  readonly path: `/orgs/${string}`;
}

export interface ProjectPlace extends RolePlace {
  readonly groupId: string;
  readonly path: GroupPath;
}

/** The paths of the lists of addresses from which keys and service accounts may call the API. */
export type AddressListPath =
  | `/orgs/${string}/${'apiKeys' | 'serviceAccounts'}/${string}/accessList`
  | `${GroupPath}/serviceAccounts/${string}/accessList`;

/** An organization or project in which people, keys and service accounts have roles. */
export type AccessPlace = OrganizationPlace | ProjectPlace;

export interface InPlace {
  readonly place: AccessPlace;
}

export interface InOrganization {
  readonly place: OrganizationPlace;
}

export interface InProject {
  readonly place: ProjectPlace;
}

export const organizationPlace = (orgId: string, isOwner: boolean): OrganizationPlace => ({
  orgId,
  isOwner,
  path: `/orgs/${orgId}`,
  address: `/organizations/${orgId}/access`,
  roles: orgRoles,
});

export const projectPlace = (orgId: string, groupId: string, isOwner: boolean): ProjectPlace => ({
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
