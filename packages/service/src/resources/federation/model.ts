import type { Role } from '../../access/index.ts';

export type Roles = readonly Role[];

/** A role that a role mapping gives. */
export interface Assignment {
  readonly role: Role;
  /** The project of a project role; absent for a role on the organization. */
  readonly groupId?: string | undefined;
}
