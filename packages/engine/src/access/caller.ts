import type { RoleGrant } from '../interface/engine.ts';

/** The connection that sent a request. */
export interface WireCaller {
  readonly connectionId: number;
  readonly remote: string;
  /** The application name from the driver's handshake. */
  readonly appName?: string;
  /** The id of the member whose port received the request. */
  readonly member: string;
  readonly user?: WireUser;
}

export interface WireUser {
  readonly username: string;
  readonly database: string;
  readonly roles: readonly RoleGrant[];
  /** Set in a deployment without authentication, in which no access control applies. */
  readonly unrestricted?: true;
}

/**
 * The user of all clients in a deployment without authentication. It has all rights, and an empty name, which no real
 * user can have.
 */
export const ANONYMOUS_ROOT: WireUser = {
  username: '',
  database: '',
  roles: [{ role: 'root', database: 'admin' }],
};

/** Returns the authenticated user of a caller. */
export function loggedIn({ user }: Pick<WireCaller, 'user'>): WireUser | undefined {
  return user?.username === ANONYMOUS_ROOT.username ? undefined : user;
}
