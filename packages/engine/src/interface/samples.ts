/**
 * A sample of a member's counters and sizes. Counters grow from the time when the deployment was opened; a smaller one
 * than in the sample before means that it was reopened. Sizes are in bytes.
 */
export interface MemberSample {
  /** Service time, milliseconds since 1970. Samples are ten seconds of machine time apart. */
  readonly time: number;
  /** Machine time, milliseconds since 1970, for rates: service time may have been set in between. */
  readonly taken: number;
  readonly operations: Readonly<
    Record<'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command', number>
  >;
  readonly documents: Readonly<Record<'returned' | 'inserted' | 'updated' | 'deleted', number>>;
  readonly examined: { readonly keys: number; readonly documents: number };
  /**
   * Statements that sorted without an index, and how many sorts did not fit into memory. Absent in samples of earlier
   * versions.
   */
  readonly sorts?: { readonly statements: number; readonly spilled: number };
  /** The number of operations, and the sum of their durations in microseconds. */
  readonly latency: Readonly<
    Record<'reads' | 'writes' | 'commands', { readonly ops: number; readonly micros: number }>
  >;
  /** CPU time in microseconds: the member's share of its query thread. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** The processors that the member can use, if that is more than one thread's. */
  readonly ownProcessors?: number;
  /** Error replies: `user` for errors of the caller, `regular` for all others. */
  readonly asserts: { readonly regular: number; readonly user: number };
  /** Statements that ended by timeout, kill or disconnect. */
  readonly interrupted?: number;
  /** Operations that are waiting. */
  readonly queued: { readonly readers: number; readonly writers: number };
  readonly connections: { readonly current: number; readonly totalCreated: number };
  readonly network: { readonly bytesIn: number; readonly bytesOut: number; readonly requests: number };
  /** From here on, values of the whole deployment, or of the machine. */
  readonly cursors: { readonly open: number; readonly timedOut: number };
  /** Documents that TTL deletion has removed. */
  readonly expired: number;
  /** The total of all databases. */
  readonly sizes: DatabaseSizes;
  /** The engine process, which runs all deployments of the machine. */
  readonly memory: { readonly resident: number; readonly virtual: number };
  readonly machine: MachineFigures;
  /**
   * `window`: seconds between the first and the last entry. `whole`: no entry has been removed yet, so that a short
   * window is no sign of a small oplog. Absent in samples of earlier versions.
   */
  readonly oplog?: { readonly bytes: number; readonly window: number; readonly whole?: boolean };
  /** Seconds that the member is behind its primary; absent where members share their data. */
  readonly lag?: number;
  /** Absent without search indexes, and in samples of earlier versions. */
  readonly search?: SearchSample;
  /** `used` by the deployment; `free` and `total` of the disk it is on, absent if unknown. */
  readonly disk: { readonly used: number; readonly free?: number; readonly total?: number };
}

/** Index updates and searches of a deployment, except in its query thread, which searches if there are no nodes. */
export interface SearchSample {
  /** The number of its search nodes. */
  readonly nodes: number;
  /** CPU time in microseconds of its nodes and of the thread that updates its indexes. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** Memory of these threads in bytes; the updating thread may serve other deployments too. */
  readonly memory: SearchMemory;
  /** Bytes of its file. */
  readonly disk: number;
  /** By index id. */
  readonly indexes: Readonly<Record<string, SearchIndexSample>>;
  /** Why the search indexes are no longer updated. */
  readonly stopped?: string;
  /** Updates will stop soon, as the disk is nearly full. */
  readonly stopsSoon?: true;
  /** A search thread has recently run out of memory. */
  readonly outOfMemory?: true;
}

export interface SearchMemory {
  readonly resident: number;
  readonly virtual: number;
  /** JavaScript heap in use, of at most `most`. */
  readonly heap: number;
  readonly most: number;
}

export interface SearchIndexSample extends IndexChanges, IndexQueries {
  /** The version of its definition; absent in samples of earlier versions. */
  readonly version?: number;
  readonly bytes: number;
  readonly documents: number;
  /** A field of several types counts as several. */
  readonly fields: number;
}

/** Changes that the newest version of an index has applied from the oplog. */
export interface IndexChanges {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  /** Seconds of the oplog between the first change that is not indexed and the newest entry; 0 if there is none. */
  readonly lag: number;
  /** Why the index may lack recent changes although it serves queries. */
  readonly stale?: string;
  /** Whether all synonym documents are valid; absent without synonyms. */
  readonly synonyms?: 'FAILED' | 'READY';
}

/** Searches of an index through one member. */
export interface IndexQueries {
  readonly succeeded: number;
  readonly failed: number;
  /** Replies after the first one of a search. */
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

/** Figures of the whole machine since its start; null if the system does not report them. */
export interface MachineFigures {
  readonly processors?: number;
  /** Milliseconds of all processors together; time of guests is also in `user`. */
  readonly processor: Readonly<Record<ProcessorUse, number>> | null;
  /** Bytes. */
  readonly memory: { readonly total: number; readonly free: number; readonly available: number } | null;
  /** Bytes; `in` and `out` are the bytes moved so far. */
  readonly swap: {
    readonly total: number;
    readonly free: number;
    readonly in: number;
    readonly out: number;
  } | null;
  /** Bytes through all interfaces except the loopback. */
  readonly network: { readonly in: number; readonly out: number } | null;
  /** Page faults of the engine's process that read from the disk. */
  readonly pageFaults?: number;
  /** The disk of the data: requests, bytes, and milliseconds that requests have waited. */
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

/** The databases of a deployment in its newest sample; none before the first. */
export interface DeploymentDatabases {
  /** The id of the deployment. */
  readonly id: string;
  /** Sizes by database name. */
  readonly databases: Readonly<Record<string, DatabaseSizes>>;
}

/** The newest samples of a member, oldest first; none before the first. */
export interface MemberSamples {
  /** The id of the deployment. */
  readonly id: string;
  readonly memberId: string;
  readonly samples: readonly MemberSample[];
}
