import type { MemberTraffic } from '../observe/member-traffic.ts';

/** Traffic through the ports of one member since this thread serves it. All numbers except `active` only increase. */
export class Traffic {
  totalCreated = 0;
  /** Requests without a reply yet. */
  active = 0;
  bytesIn = 0;
  bytesOut = 0;
  requests = 0;
  /** Connections rejected by the limit. */
  rejected = 0;

  facts(current: number, most: number): MemberTraffic {
    const { totalCreated, active, bytesIn, bytesOut, requests, rejected } = this;
    return { current, most, totalCreated, rejected, active, bytesIn, bytesOut, requests };
  }
}
