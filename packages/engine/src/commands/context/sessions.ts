import type { WireUser } from '../../access/caller.ts';

/** Sessions of one cluster. One that is not known begins when it is used. */
export interface Sessions {
  /** Makes a session; answers the 16 bytes of its id. */
  start(user: WireUser | undefined): Uint8Array;
  /** Says that a session is used. */
  use(session: string): void;
  /** Forgets sessions and closes their cursors. */
  end(sessions: Iterable<string>): void;
  /** Those for which `wanted` is true. */
  find(wanted: (session: SessionKey) => boolean): string[];
  /** Milliseconds since a session was last used. */
  idle(session: string): number | undefined;
}

/** Whose session, and the hexadecimal digits of its id. */
export interface SessionKey {
  /** `database.username`; empty when nobody was logged in. */
  readonly owner: string;
  readonly id: string;
}
