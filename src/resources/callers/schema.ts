import { groupRoles, orgRoles, type Role } from '../../access/index.ts';
import { Choice } from '../../api/fields.ts';

/** Every role, so that one of the wrong level is refused with a code that says so. */
export const RoleName = Choice<readonly Role[]>([...orgRoles, ...groupRoles]);
