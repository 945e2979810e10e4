import type { RoleGrant } from '../../engine.ts';

/** Who sent a request: one connection. */
export interface WireCaller {
  readonly connectionId: number;
  readonly remote: string;
  /** As its driver has named the program. */
  readonly appName?: string;
  /** The member's id whose port was called. */
  readonly member: string;
  readonly user?: WireUser;
}

export interface WireUser {
  readonly username: string;
  readonly database: string;
  readonly roles: readonly RoleGrant[];
}
