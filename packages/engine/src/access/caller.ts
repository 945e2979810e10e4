import type { RoleGrant } from '../interface/engine.ts';

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

/** Whoever calls a deployment that is open to all: with every right, and no name, which no user can have. */
export const ANYONE: WireUser = {
  username: '',
  database: '',
  roles: [{ role: 'root', database: 'admin' }],
};

/** The user that a caller has logged in as. */
export function loggedIn({ user }: Pick<WireCaller, 'user'>): WireUser | undefined {
  return user?.username === ANYONE.username ? undefined : user;
}
