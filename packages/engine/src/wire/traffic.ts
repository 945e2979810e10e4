import type { MemberTraffic } from '../observe/member-traffic.ts';

/** What goes through the ports of one member, since this thread knows it. Numbers only grow, but for `active`. */
export class Traffic {
  totalCreated = 0;
  /** Requests that wait for their answer. */
  active = 0;
  bytesIn = 0;
  bytesOut = 0;
  requests = 0;
  /** Connections that were one too many. */
  rejected = 0;

  facts(current: number, most: number): MemberTraffic {
    const { totalCreated, active, bytesIn, bytesOut, requests, rejected } = this;
    return { current, most, totalCreated, rejected, active, bytesIn, bytesOut, requests };
  }
}
