import { groupRoles, orgRoles, type Role } from '../../access/index.ts';
import { Choice, ruled } from '../../api/fields.ts';

/** Takes every role, so that one of the wrong level is refused with a code that says so. */
const roleOf = (allowed: readonly Role[]) =>
  ruled(Choice<readonly Role[]>([...orgRoles, ...groupRoles]), { enum: allowed });

export const OrgRoleName = roleOf(orgRoles);
export const GroupRoleName = roleOf(groupRoles);
export type RoleName = typeof OrgRoleName;
