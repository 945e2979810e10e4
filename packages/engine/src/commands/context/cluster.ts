import type { Accounts } from '../../access/accounts.ts';
import type { NewId } from '../../language/insert.ts';
import type { PipelineEnvironment } from '../../language/pipeline/pipeline-environment.ts';
import type { Scripts } from '../../language/scripts.ts';
import type { Observer } from '../../observe/observer.ts';
import type { OperationCounters } from '../../observe/operation-counters.ts';
import type { ServerParameters } from '../../parameters/parameters.ts';
import type { SearchReader } from '../../search/file/search-reader.ts';
import type { SearchNodes } from '../../search/nodes/asking.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Cursors } from './cursors.ts';
import type { Operations } from './operations.ts';
import type { CommandRequest } from './request.ts';
import type { Sessions } from './sessions.ts';
import type { Topology } from './topology.ts';

/** What a command acts on: each command takes of it what it needs. */
export interface ClusterContext {
  readonly topology: Topology;
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  readonly operations: Operations;
  readonly counters: OperationCounters;
  /** Users and roles, and what each user may do. */
  readonly accounts: Accounts;
  /** Inside `write`: users or roles were changed by a command; they count from here on, on every connection. */
  accountsChanged(): void;
  /** Has a member not be elected for so many seconds, soon: if it is primary, another one will be. */
  withhold(member: string, seconds: number): void;
  /** Defaults, limits and switches that commands obey. */
  readonly parameters: ServerParameters;
  /** Keeps what happens in logs; absent where nobody listens. */
  readonly observer?: Observer | undefined;
  readonly clock: ClusterClock;
  readonly random: ClusterRandom;
  /** What a pipeline over the collection of that name, or over none, sees of the cluster, and how it writes. */
  readonly pipelineEnvironment: (
    request: CommandRequest,
    name: string | undefined,
    cluster: ClusterContext,
  ) => PipelineEnvironment;
  /** Reads what is indexed for searches. */
  readonly search: SearchReader;
  /** The threads that search for it, where it has any. */
  readonly searchNodes: SearchNodes;
  /** Inside `write`: search indexes were defined, changed or taken away; they are followed from here on. */
  searchDefined(): void;
  /** What runs the scripts of one operation. */
  readonly scripts: () => Scripts;
}

export interface ClusterClock {
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  /** Seconds since the cluster was opened, in machine time. */
  uptime(): number;
  /** Milliseconds of a clock that never goes back, for measuring. */
  elapsed(): number;
}

export interface ClusterRandom {
  /** Bytes that nobody can guess. */
  bytes(size: number): Buffer;
  /** From 0 up to 1: quick, and not for secrets. */
  fraction(): number;
  /** A new ObjectId. */
  readonly newId: NewId;
}
