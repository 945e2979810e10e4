import type { WireCaller } from '../access/caller.ts';

/** The connection counters of a member, as its connection thread reports them. */
export interface MemberTraffic {
  readonly current: number;
  /** The connection limit. */
  readonly most: number;
  /** Number of connections rejected because of the limit. */
  readonly rejected: number;
  readonly totalCreated: number;
  /** Number of requests in progress, including the current request. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requests: number;
  /** The connections of the member. Present only for a command that lists connections. */
  readonly connections?: readonly WireCaller[];
}
