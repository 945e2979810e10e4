import type { MemberTraffic } from '../observe/member-traffic.ts';
import type { LastWrite } from '../worker/protocol.ts';
import type { FailPoints } from './fail-point.ts';
import type { HeldMemory } from './held-memory.ts';
import type { Accounts } from './login.ts';
import type { ThreadServices } from './thread-services.ts';
import type { TopologyVersion } from './topology-version.ts';
import type { Traffic } from './traffic.ts';
import type { UnansweredOfCluster } from './unanswered.ts';
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
  /** The requests of all connections after which clients do not wait for a reply. */
  readonly unanswered: UnansweredOfCluster;
  trafficOf(memberId: string): Traffic;
  /** Returns the current traffic of a member. If `each` is true, the result contains a list of connections. */
  trafficFacts(memberId: string, each: boolean): MemberTraffic;
  /** Sends a request to the query thread. */
  send(request: UnsentRequest, answered: Answered): void;
  /** Reports that a connection has ended. */
  gone(connectionId: number): void;
}
