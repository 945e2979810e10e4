/**
 * What a member has done. Counts grow from the time the deployment was opened on; a smaller one than before says that
 * it was opened again. Sizes are bytes.
 */
export interface MemberSample {
  /** Service time, milliseconds since 1970. Samples are ten seconds of machine time apart. */
  readonly time: number;
  /** Machine time, milliseconds since 1970: how long counts have grown, whatever service time has done meanwhile. */
  readonly taken: number;
  readonly operations: Readonly<
    Record<'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command', number>
  >;
  readonly documents: Readonly<Record<'returned' | 'inserted' | 'updated' | 'deleted', number>>;
  readonly examined: { readonly keys: number; readonly documents: number };
  /**
   * Statements that put documents in order without an index, and how often one of them did not fit into memory. Samples
   * of earlier versions do not tell.
   */
  readonly sorts?: { readonly statements: number; readonly spilled: number };
  /** How many there were, and the sum of the microseconds from request to answer. */
  readonly latency: Readonly<
    Record<'reads' | 'writes' | 'commands', { readonly ops: number; readonly micros: number }>
  >;
  /** Microseconds of a processor: its share of what the thread of its deployment has taken. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** Answers that were errors: `user` for what the caller did wrong, `regular` for everything else. */
  readonly asserts: { readonly regular: number; readonly user: number };
  /** Statements that ended because their time was up, they were killed or their caller had gone. */
  readonly interrupted: number;
  /** What waits for its turn at this moment. */
  readonly queued: { readonly readers: number; readonly writers: number };
  readonly connections: { readonly current: number; readonly totalCreated: number };
  readonly network: { readonly bytesIn: number; readonly bytesOut: number; readonly requests: number };
  /** Of the deployment, as all of the following but for what belongs to the machine. */
  readonly cursors: { readonly open: number; readonly timedOut: number };
  /** Documents that have gone because their time was over. */
  readonly expired: number;
  /** Of all databases together. */
  readonly sizes: DatabaseSizes;
  /** Of the process that runs all deployments of its machine. */
  readonly memory: { readonly resident: number; readonly virtual: number };
  readonly machine: MachineFigures;
  /**
   * `window`: seconds between its first and its last entry; `whole`: no entry has gone yet, so that it is as short as it
   * is because it is new. Samples of earlier versions do not tell.
   */
  readonly oplog: { readonly bytes: number; readonly window: number; readonly whole?: boolean };
  /** Absent where nothing is searched, and in samples of earlier versions. */
  readonly search?: SearchSample;
  /** `used` by the deployment; `free` and `total` of the disk it is on. */
  readonly disk: { readonly used: number; readonly free: number; readonly total: number };
}

/** Index updates and searches of a deployment, except in its query thread, which searches if there are no nodes. */
export interface SearchSample {
  /** Threads of its own that search. */
  readonly nodes: number;
  /** Processor time in microseconds of its nodes and of the thread that updates its indexes. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** Memory of these threads in bytes; the updating thread may serve other deployments too. */
  readonly memory: SearchMemory;
  /** Bytes of its file. */
  readonly disk: number;
  /** By index id. */
  readonly indexes: Readonly<Record<string, SearchIndexSample>>;
  /** Why its indexes are no longer updated. */
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

export interface SearchIndexSample extends IndexFollowed, IndexAsked {
  /** The version of its definition; absent in samples of earlier versions. */
  readonly version?: number;
  readonly bytes: number;
  readonly documents: number;
  /** A field of several types counts as several. */
  readonly fields: number;
}

/** Changes that the newest version of an index has applied from the oplog. */
export interface IndexFollowed {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  /** Seconds of the oplog between the first change that is not indexed and the newest entry; 0 if there is none. */
  readonly lag: number;
  /** Why it may lack changes although it serves. */
  readonly stale?: string;
  /** Whether all synonym documents are valid; absent without synonyms. */
  readonly synonyms?: 'FAILED' | 'READY';
}

/** Searches of an index through one member. */
export interface IndexAsked {
  readonly succeeded: number;
  readonly failed: number;
  /** Replies after the first one of a search. */
  readonly getMores: number;
}

/** Of one database. Sizes are bytes. */
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
  readonly processors: number;
  /** Milliseconds of all processors together; time of guests is also in `user`. */
  readonly processor: Readonly<Record<ProcessorUse, number>> | null;
  /** Bytes. */
  readonly memory: { readonly total: number; readonly free: number; readonly available: number };
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
  readonly pageFaults: number;
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
  /** Of the deployment. */
  readonly id: string;
  /** By name. */
  readonly databases: Readonly<Record<string, DatabaseSizes>>;
}

/** The newest samples of a member, oldest first; none before the first. */
export interface MemberSamples {
  /** Of the deployment. */
  readonly id: string;
  readonly memberId: string;
  readonly samples: readonly MemberSample[];
}
