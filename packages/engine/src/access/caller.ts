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
  /** A user of a deployment without authentication, which holds nobody to roles. */
  readonly unrestricted?: true;
}

/** The caller of a deployment without authentication. It has every right, and an empty name, which no user can have. */
export const ANONYMOUS_ROOT: WireUser = {
  username: '',
  database: '',
  roles: [{ role: 'root', database: 'admin' }],
};

/** The user that a caller has authenticated as. */
export function loggedIn({ user }: Pick<WireCaller, 'user'>): WireUser | undefined {
  return user?.username === ANONYMOUS_ROOT.username ? undefined : user;
}
