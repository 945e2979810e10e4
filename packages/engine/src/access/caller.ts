import type { RoleGrant } from '../interface/engine.ts';

/** The connection that sent a request, and its user. */
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
  /** Set in a deployment without authentication. No access control applies to this user. */
  readonly unrestricted?: true;
}

/**
 * The user of all clients in a deployment without authentication. It has all rights. Its name is empty, and
 * no real user can have an empty name.
 */
export const ANONYMOUS_ROOT: WireUser = {
  username: '',
  database: '',
  roles: [{ role: 'root', database: 'admin' }],
};

/** The user with which the service runs commands. It has all privileges and cannot log in. */
export const SERVICE: WireUser = {
  username: '__system',
  database: 'local',
  roles: [{ role: '__system', database: 'admin' }],
};

/** Whether the service sent a request. No user of drivers can be in the database `local`. */
export function isService({ user }: Pick<WireCaller, 'user'>): boolean {
  return user?.username === SERVICE.username && user.database === SERVICE.database;
}

/** Returns the user of a caller, or undefined if the caller has not authenticated. */
export function loggedIn({ user }: Pick<WireCaller, 'user'>): WireUser | undefined {
  return user?.username === ANONYMOUS_ROOT.username ? undefined : user;
}
