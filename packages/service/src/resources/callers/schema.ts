import { groupRoles, orgRoles, type Role } from '../../access/index.ts';
import { Choice, ruled } from '../../api/fields.ts';

/** Accepts all roles in the schema, so that one of the wrong level is rejected with its specific code. */
const roleOf = (allowed: readonly Role[]) =>
  ruled(Choice<readonly Role[]>([...orgRoles, ...groupRoles]), { enum: allowed });

export const OrgRoleName = roleOf(orgRoles);
export const GroupRoleName = roleOf(groupRoles);
export type RoleName = typeof OrgRoleName;
