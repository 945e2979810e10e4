import type { WireCaller } from '../access/caller.ts';

/** The connection counters of one member, as its connection thread reports them. */
export interface MemberTraffic {
  readonly current: number;
  /** The connection limit. */
  readonly most: number;
  /** Connections rejected because of the limit. */
  readonly rejected: number;
  readonly totalCreated: number;
  /** Requests in progress, including this one. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly requests: number;
  /** Present only if a command lists connections. */
  readonly connections?: readonly WireCaller[];
}
