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

/** The cluster on which a command runs. Each command uses only some of the properties. */
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
  /** Applies changed users or roles to all connections. Must be called within `store.write`, after the change. */
  accountsChanged(): void;
  /** Prevents the election of a member for a number of seconds. If the member is the primary, it steps down soon. */
  withhold(member: string, seconds: number): void;
  readonly parameters: ServerParameters;
  /** Receives log events. Absent if there is no log. */
  readonly observer?: Observer | undefined;
  readonly clock: ClusterClock;
  /** The service time of the last election, or of the opening of the file. */
  readonly electedAt: number;
  readonly random: ClusterRandom;
  /** Creates the environment of a pipeline on a collection, or without a collection. */
  readonly pipelineEnvironment: (
    request: CommandRequest,
    name: string | undefined,
    cluster: ClusterContext,
  ) => PipelineEnvironment;
  /** Reads search indexes. */
  readonly search: SearchReader;
  /** The search nodes of the cluster. There may be none. */
  readonly searchNodes: SearchNodes;
  /**
   * Starts the work that is needed after search indexes were created, changed or dropped, such as a build. Must be
   * called within `store.write`, after the change.
   */
  searchIndexesChanged(): void;
  /** The script runtime of the current operation. */
  readonly scripts: () => Scripts;
}

export interface ClusterClock {
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  now(): number;
  /** Seconds of machine time since the cluster was opened. */
  uptime(): number;
  /** The time of a monotonic clock in milliseconds, for measuring durations. */
  elapsed(): number;
}

export interface ClusterRandom {
  /** Cryptographically secure bytes. */
  bytes(size: number): Buffer;
  /** A fast random number from 0 to 1, exclusive. Not for secrets. */
  fraction(): number;
  readonly newId: NewId;
}
