import { accessFaults, missingRole, type Role, roles } from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import type { ReadTx } from '../../store/index.ts';
import { membershipFaults } from './faults.ts';
import { type MemberGrants, noGrants, rolesIn, withRolesIn } from './model/grants.ts';
import { requireProject } from './model/rules.ts';

/**
 * Throws NOT_ORG_OWNER unless the caller owns all organizations of a user, because all of these organizations show the
 * same profile.
 */
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

/** Groups the roles of a body by organization. Throws for roles that the caller may not grant. */
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
      if (!call.may('Project Owner', scope)) throw missingRole('Project Owner');
      const grants = byOrganization.get(project.orgId) ?? noGrants;
      const inProject = [...rolesIn(grants, groupId), roleName];
      byOrganization.set(project.orgId, withRolesIn(grants, groupId, inProject));
    }
  }
  return byOrganization;
}
