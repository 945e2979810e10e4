import type { WireUser } from '../../access/caller.ts';

/** The sessions of one cluster. A session starts with its first use. */
export interface Sessions {
  /** Starts a session and returns its id of 16 bytes. */
  start(user: WireUser | undefined): Uint8Array;
  /** Marks a session as used. */
  use(session: string): void;
  /** Removes sessions and closes their cursors. */
  end(sessions: Iterable<string>): void;
  /** Returns the keys of the sessions for which `wanted` returns true. */
  find(wanted: (session: SessionKey) => boolean): string[];
  /** Returns the milliseconds since the session was last used. */
  idle(session: string): number | undefined;
}

/** The owner of a session, and its id in hexadecimal digits. */
export interface SessionKey {
  /** The user who owns the session, as `database.username`. Empty without authentication. */
  readonly owner: string;
  readonly id: string;
}
