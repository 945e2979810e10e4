import type { EdgeFacts } from '../command.ts';

/** Of one member. A driver's pool has 100 at most, unless it is told otherwise; each costs some 20 KB here. */
export const MOST_CONNECTIONS = 5_000;

/** What goes through the ports of one member, since this thread knows it. Numbers only grow, but for `active`. */
export class Traffic {
  totalCreated = 0;
  /** Requests that wait for their answer. */
  active = 0;
  bytesIn = 0;
  bytesOut = 0;
  requests = 0;

  facts(current: number): EdgeFacts {
    const { totalCreated, active, bytesIn, bytesOut, requests } = this;
    return { current, totalCreated, active, bytesIn, bytesOut, requests };
  }
}
