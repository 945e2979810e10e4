import type { Accounts } from '../../access/accounts.ts';
import type { NewId } from '../../language/insert.ts';
import type { PipelineEnvironment } from '../../language/pipeline/pipeline-environment.ts';
import type { Scripts } from '../../language/scripts.ts';
import type { Observer } from '../../observe/observer.ts';
import type { OperationCounters } from '../../observe/operation-counters.ts';
import type { ServerParameters } from '../../parameters/parameters.ts';
import type { SearchReader } from '../../search/file/search-reader.ts';
import type { SearchNodes } from '../../search/nodes/search-nodes.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Cursors } from './cursors.ts';
import type { Operations } from './operations.ts';
import type { CommandRequest } from './request.ts';
import type { Sessions } from './sessions.ts';
import type { Topology } from './topology.ts';
import type { OpenTransactions } from './transactions.ts';

/** The cluster as commands see it; each command uses the parts it needs. */
export interface ClusterContext {
  readonly topology: Topology;
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly transactions: OpenTransactions;
  readonly operations: Operations;
  readonly counters: OperationCounters;
  /** Users, roles and privileges. */
  readonly accounts: Accounts;
  /**
   * Called within `write` after a command changed users or roles: the change applies to all connections from now on.
   */
  accountsChanged(): void;
  /** Prevents the election of a member for some seconds; a primary steps down soon. */
  withhold(member: string, seconds: number): void;
  /** Defaults, limits and switches. */
  readonly parameters: ServerParameters;
  /** Receives log events; absent if there is no log. */
  readonly observer?: Observer | undefined;
  readonly clock: ClusterClock;
  readonly random: ClusterRandom;
  /** The environment of a pipeline on a collection, or on none. */
  readonly pipelineEnvironment: (
    request: CommandRequest,
    name: string | undefined,
    cluster: ClusterContext,
  ) => PipelineEnvironment;
  /** Reads search indexes. */
  readonly search: SearchReader;
  /** The search threads, if there are any. */
  readonly searchNodes: SearchNodes;
  /** Called within `write` after search indexes were created, changed or dropped: they are built from now on. */
  searchIndexesChanged(): void;
  /** The script runtime of the current operation. */
  readonly scripts: () => Scripts;
}

export interface ClusterClock {
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  /** Seconds since the cluster was opened, in machine time. */
  uptime(): number;
  /** Milliseconds of a monotonic clock, for measuring. */
  elapsed(): number;
}

export interface ClusterRandom {
  /** Cryptographically secure bytes. */
  bytes(size: number): Buffer;
  /** A number from 0 up to 1; fast, and not for secrets. */
  fraction(): number;
  /** A new ObjectId. */
  readonly newId: NewId;
}
