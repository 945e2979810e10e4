import { groupRoles, orgRoles, type Role } from '../../access/index.ts';
import { Choice, ruled } from '../../api/fields.ts';

/**
 * Returns the schema of a role name. The schema accepts all roles, so that a role of the wrong level gets its specific
 * error code.
 */
const roleOf = (allowed: readonly Role[]) =>
  ruled(Choice<readonly Role[]>([...orgRoles, ...groupRoles]), { enum: allowed });

export const OrgRoleName = roleOf(orgRoles);
export const GroupRoleName = roleOf(groupRoles);
export type RoleName = typeof OrgRoleName;
