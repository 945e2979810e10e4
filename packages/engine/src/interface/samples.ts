/**
 * A sample of the counters and sizes of a member. Counters start at 0 when the deployment is opened. If a counter is
 * below its value in the previous sample, the deployment was reopened. Sizes are in bytes.
 */
export interface MemberSample {
  /**
   * Service time, in milliseconds since 1970. There are ten seconds of machine time between two samples (see
   * `docs/glossary.md`).
   */
  readonly time: number;
  /**
   * Machine time, in milliseconds since 1970. Rates are computed from it, because the service time may have been
   * changed between two samples.
   */
  readonly taken: number;
  readonly operations: Readonly<
    Record<'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command', number>
  >;
  readonly documents: Readonly<Record<'returned' | 'inserted' | 'updated' | 'deleted', number>>;
  readonly examined: { readonly keys: number; readonly documents: number };
  /**
   * Number of statements that sorted without an index, and number of sorts that did not fit into memory. Absent in
   * samples of earlier versions.
   */
  readonly sorts?: { readonly statements: number; readonly spilled: number };
  /** Number of operations, and the sum of their durations in microseconds. */
  readonly latency: Readonly<
    Record<'reads' | 'writes' | 'commands', { readonly ops: number; readonly micros: number }>
  >;
  /** CPU time in microseconds: the part of the query thread's time that is attributed to the member. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** Number of processors that the member can use. Absent if the member's thread uses only one processor. */
  readonly ownProcessors?: number;
  /** Number of error replies: `user` for errors of the caller, `regular` for all others. */
  readonly asserts: { readonly regular: number; readonly user: number };
  /** Number of statements that ended by a timeout, a kill or a disconnect. */
  readonly interrupted?: number;
  /** Number of waiting operations. */
  readonly queued: { readonly readers: number; readonly writers: number };
  readonly connections: { readonly current: number; readonly totalCreated: number };
  readonly network: { readonly bytesIn: number; readonly bytesOut: number; readonly requests: number };
  /**
   * Numbers of cursors. This value and the following values, except `lag`, describe the whole deployment or
   * the machine.
   */
  readonly cursors: { readonly open: number; readonly timedOut: number };
  /** Number of documents that TTL deletion has removed. */
  readonly expired: number;
  /** The total of all databases. */
  readonly sizes: DatabaseSizes;
  /** The engine process, which runs all deployments of the machine. */
  readonly memory: { readonly resident: number; readonly virtual: number };
  readonly machine: MachineFigures;
  /**
   * `window` is the number of seconds between the first and the last entry. `whole` is true if no entry has been
   * removed yet. In this case, a short window does not mean that the oplog is too small. Absent in samples of earlier
   * versions.
   */
  readonly oplog?: { readonly bytes: number; readonly window: number; readonly whole?: boolean };
  /** Number of seconds by which the member is behind its primary. Absent if members share their data. */
  readonly lag?: number;
  /** Statistics of searches. Absent without search indexes, and in samples of earlier versions. */
  readonly search?: SearchSample;
  /**
   * `used` is the space that the deployment uses or, on a disk that contains other files, too, the used space of the disk.
   * `free` and `total` describe the disk, and are absent if they are unknown.
   */
  readonly disk: { readonly used: number; readonly free?: number; readonly total?: number };
}

/**
 * Statistics of the index updates and searches of a deployment. They do not include the query thread, which runs the
 * searches if there are no search nodes.
 */
export interface SearchSample {
  /** Number of search nodes. */
  readonly nodes: number;
  /** CPU time, in microseconds, of the search nodes and the thread that updates the indexes. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /**
   * Memory of the search nodes and the thread that updates the indexes, in bytes. This thread may also serve other
   * deployments.
   */
  readonly memory: SearchMemory;
  /** Size of the search file in bytes. */
  readonly disk: number;
  /** The statistics of each index by its id. */
  readonly indexes: Readonly<Record<string, SearchIndexSample>>;
  /** The reason why the search indexes are no longer updated. Absent if they are updated. */
  readonly stopped?: string;
  /** Set if updates will soon stop, because the disk is nearly full. */
  readonly stopsSoon?: true;
  /** Set if a search thread recently ran out of memory. */
  readonly outOfMemory?: true;
}

export interface SearchMemory {
  readonly resident: number;
  readonly virtual: number;
  /** The JavaScript heap in use, in bytes. `most` is its limit. */
  readonly heap: number;
  readonly most: number;
}

export interface SearchIndexSample extends IndexChanges, IndexQueries {
  /** The version of the definition. Absent in samples of earlier versions. */
  readonly version?: number;
  readonly bytes: number;
  readonly documents: number;
  /** Number of fields. A field with several types counts several times. */
  readonly fields: number;
}

/** Number of changes that the newest version of an index has applied from the oplog. */
export interface IndexChanges {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  /**
   * Seconds between the first change that is not in the index yet and the newest oplog entry. The value is 0 if the
   * index contains all changes.
   */
  readonly lag: number;
  /** The reason why the index may lack recent changes, although it serves queries. */
  readonly stale?: string;
  /** `READY` if all synonym documents are valid. Absent without synonyms. */
  readonly synonyms?: 'FAILED' | 'READY';
}

/** Number of searches of an index through one member. */
export interface IndexQueries {
  readonly succeeded: number;
  readonly failed: number;
  /** Number of further batches that searches have returned after their first reply. */
  readonly getMores: number;
}

/** The sizes of one database, in bytes. */
export interface DatabaseSizes {
  readonly data: number;
  readonly storage: number;
  readonly index: number;
  readonly objects: number;
  readonly collections: number;
  readonly indexes: number;
  readonly views: number;
}

/** Statistics of the whole machine since its start. A value is null if the system does not report it. */
export interface MachineFigures {
  readonly processors?: number;
  /**
   * The total time of all processors, in milliseconds, by use. The time of virtual machines (`guest`) is also included
   * in `user`.
   */
  readonly processor: Readonly<Record<ProcessorUse, number>> | null;
  /** The memory, in bytes. */
  readonly memory: { readonly total: number; readonly free: number; readonly available: number } | null;
  /** The swap space, in bytes. `in` and `out` are totals since the start of the machine. */
  readonly swap: {
    readonly total: number;
    readonly free: number;
    readonly in: number;
    readonly out: number;
  } | null;
  /** Number of bytes on all interfaces except loopback. */
  readonly network: { readonly in: number; readonly out: number } | null;
  /** Number of page faults of the engine process that read from the disk. */
  readonly pageFaults?: number;
  /** The disk of the data: the number of requests, their bytes, and the milliseconds that they took. */
  readonly disk: {
    readonly reads: number;
    readonly writes: number;
    readonly bytesRead: number;
    readonly bytesWritten: number;
    readonly readMillis: number;
    readonly writeMillis: number;
    readonly queueMillis: number;
  } | null;
}

export type ProcessorUse =
  | 'user'
  | 'nice'
  | 'kernel'
  | 'idle'
  | 'iowait'
  | 'irq'
  | 'softirq'
  | 'steal'
  | 'guest';

/** The databases of a deployment in its newest sample. Empty before the first sample. */
export interface DeploymentDatabases {
  /** The id of the deployment. */
  readonly id: string;
  /** The sizes by database name. */
  readonly databases: Readonly<Record<string, DatabaseSizes>>;
}

/** The newest samples of a member, oldest first. Empty before the first sample. */
export interface MemberSamples {
  /** The id of the deployment. */
  readonly id: string;
  readonly memberId: string;
  readonly samples: readonly MemberSample[];
}
