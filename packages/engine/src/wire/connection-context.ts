import type { SerialQueue } from '@portolan/foundation/serial-queue';
import type { MemberTraffic } from '../observe/member-traffic.ts';
import type { LastWrite } from '../worker/protocol.ts';
import type { FailPoints } from './fail-point.ts';
import type { ForwardedOfCluster } from './forwarded.ts';
import type { HeldMemory } from './held-memory.ts';
import type { Accounts } from './login.ts';
import type { ThreadServices } from './thread-services.ts';
import type { TopologyVersion } from './topology-version.ts';
import type { Traffic } from './traffic.ts';
import type { ClusterTurns } from './turns.ts';
import type { ClusterView } from './view.ts';
import type { Answered, UnsentRequest } from './worker-link.ts';

/** The cluster of a connection, with the properties that connections need. */
export interface ConnectionContext extends Accounts {
  readonly services: ThreadServices;
  readonly topology: TopologyVersion;
  readonly held: HeldMemory;
  readonly failPoints: FailPoints;
  readonly view: ClusterView;
  readonly lastWrite: LastWrite | undefined;
  /** The requests of all connections that the query thread has not answered. */
  readonly forwarded: ForwardedOfCluster;
  readonly turns: ClusterTurns;
  /**
   * Reads messages one at a time if they are slow to read. Otherwise, many of them at once would delay other clusters.
   */
  readonly slowReads: SerialQueue;
  /** Compresses large replies, one at a time. */
  readonly slowWrites: SerialQueue;
  trafficOf(memberId: string): Traffic;
  /** Returns the current traffic of a member. If `each` is true, the result contains a list of connections. */
  trafficFacts(memberId: string, each: boolean): MemberTraffic;
  /** Sends a request to the query thread. */
  send(request: UnsentRequest, answered: Answered): void;
  /** Reports that a connection has ended. */
  gone(connectionId: number): void;
}
