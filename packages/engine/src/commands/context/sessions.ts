import type { WireUser } from '../../access/caller.ts';

/** The sessions of one cluster. An unknown session starts with its first use. */
export interface Sessions {
  /** Starts a session; returns the 16 bytes of its id. */
  start(user: WireUser | undefined): Uint8Array;
  /** Marks a session as used. */
  use(session: string): void;
  /** Removes sessions and closes their cursors. */
  end(sessions: Iterable<string>): void;
  /** Sessions for which `wanted` is true. */
  find(wanted: (session: SessionKey) => boolean): string[];
  /** Milliseconds since a session was last used. */
  idle(session: string): number | undefined;
}

/** A session's owner and the hexadecimal digits of its id. */
export interface SessionKey {
  /** `database.username`; empty without authentication. */
  readonly owner: string;
  readonly id: string;
}
