import { accessFaults, grantsHeldBy, type Role, roles, visibleScopes } from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import type { ReadTx } from '../../store/index.ts';
import { membershipFaults } from './faults.ts';
import { type MemberGrants, noGrants, rolesIn, withRolesIn } from './members/grants.ts';
import { requireProject } from './members/rules.ts';

/** Throws NOT_ORG_OWNER: a profile shows in each organization of its user, so the caller has to own all of them. */
export function assertOwnsOrganizations({ may }: Pick<Call, 'may'>, orgIds: readonly string[]): void {
  for (const id of orgIds) {
    if (!may('Organization Owner', { kind: 'org', id })) throw accessFaults.NOT_ORG_OWNER(id);
  }
}

interface RoleAssignment {
  readonly roleName: Role;
  readonly orgId?: string | undefined;
  readonly groupId?: string | undefined;
}

/** The grants that some assignments amount to, by organization. Throws for roles that the caller may not give. */
export async function grantsByOrganization(
  tx: ReadTx,
  call: Pick<Call, 'may'>,
  assignments: readonly RoleAssignment[],
): Promise<ReadonlyMap<string, MemberGrants>> {
  const byOrganization = new Map<string, MemberGrants>();
  for (const { roleName, orgId, groupId } of assignments) {
    if (roles[roleName].scope === 'org') {
      if (orgId === undefined) throw membershipFaults.ROLE_NEEDS_ORG_ID(roleName);
      assertOwnsOrganizations(call, [orgId]);
      const grants = byOrganization.get(orgId) ?? noGrants;
      byOrganization.set(orgId, { ...grants, roles: [...grants.roles, roleName] });
    } else {
      if (groupId === undefined) throw membershipFaults.ROLE_NEEDS_GROUP_ID(roleName);
      const project = await requireProject(tx, groupId);
      const scope = { kind: 'group', id: groupId, orgId: project.orgId } as const;
      if (!call.may('Project Owner', scope)) throw accessFaults.USER_UNAUTHORIZED();
      const grants = byOrganization.get(project.orgId) ?? noGrants;
      const inProject = [...rolesIn(grants, groupId), roleName];
      byOrganization.set(project.orgId, withRolesIn(grants, groupId, inProject));
    }
  }
  return byOrganization;
}

/**
 * Organizations that a user shares with the caller. Empty for a user who is in none yet, undefined for one who is in
 * others alone: of that one the caller may not know.
 */
export async function sharedOrganizations(
  tx: ReadTx,
  { caller }: Pick<Call, 'caller'>,
  userId: string,
): Promise<string[] | undefined> {
  const held = await grantsHeldBy(tx, [userId]);
  const orgIds = [...new Set(held.filter(({ scope }) => scope === 'org').map(({ id }) => id))];
  const visible = visibleScopes(caller).orgs;
  const shared = orgIds.filter((id) => visible.has(id));
  return orgIds.length > 0 && shared.length === 0 ? undefined : shared;
}
