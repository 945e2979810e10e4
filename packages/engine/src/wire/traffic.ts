import type { MemberTraffic } from '../observe/member-traffic.ts';

/**
 * The traffic through the ports of a member since this thread started to serve the member. All numbers except `active`
 * and `open` only increase.
 */
export class Traffic {
  totalCreated = 0;
  /** Number of requests that have not ended. */
  active = 0;
  /** Number of open connections. */
  open = 0;
  bytesIn = 0;
  bytesOut = 0;
  requests = 0;
  /** Number of connections rejected because of the limit. */
  rejected = 0;

  facts(most: number): MemberTraffic {
    const { open: current, totalCreated, active, bytesIn, bytesOut, requests, rejected } = this;
    return { current, most, totalCreated, rejected, active, bytesIn, bytesOut, requests };
  }
}
