import type { WireCaller } from '../access/caller.ts';

/** What the thread of a connection knows of the connections to the called member. */
export interface MemberTraffic {
  readonly current: number;
  /** How many there may be. */
  readonly most: number;
  /** Those that were one too many. */
  readonly rejected: number;
  readonly totalCreated: number;
  /** Requests that are not answered yet, this one included. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requests: number;
  /** Absent where nobody has asked for them one by one. */
  readonly connections?: readonly WireCaller[];
}
