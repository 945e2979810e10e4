/**
 * What the service and an engine say to each other, by the calls of `calls.ts`. A *deployment* is what an engine runs
 * for a cluster; its *members* are the nodes that drivers connect to.
 */

/** A `router` holds no data: it takes the commands for all shards of a sharded deployment. */
export type MemberKind = 'electable' | 'readOnly' | 'analytics' | 'router';

export interface MemberSpec {
  /** Stable within the deployment: `shard-00-00`, `router-00-00`. */
  readonly id: string;
  /** From 0. That of a router is the shard whose node it stands beside. */
  readonly shard: number;
  readonly kind: MemberKind;
  readonly provider: string;
  readonly region: string;
  /** Election priority; 0 is never elected. */
  readonly priority: number;
  /** Drivers do not learn of it; its priority is 0. */
  readonly hidden?: boolean;
  /** What it is called below the domain that an engine may be given; the replica set knows it by the first. */
  readonly names?: readonly string[];
  /** Where it listens; absent: at a free port of the host's range, which it keeps. */
  readonly port?: number;
}

export interface DeploymentSpec {
  /** The cluster's id. */
  readonly id: string;
  readonly clusterName: string;
  readonly replicaSetName: string;
  /** The replica set of each shard, where the deployment is sharded; the first of them is `replicaSetName`. */
  readonly shardNames?: readonly string[];
  /** `8.0` */
  readonly majorVersion: string;
  /** `8.0.29` */
  readonly version: string;
  readonly members: readonly MemberSpec[];
  readonly access: AccessSpec;
  /** The oldest version that members still speak, where they speak TLS; 1.2 when absent. */
  readonly minimumTlsProtocol?: TlsProtocol;
  /** What its size allows; absent: as much as the machine has. */
  readonly limits?: SizeLimits;
  /** How the server behaves, as the API's process arguments name it; absent: the server's defaults. */
  readonly arguments?: ProcessArguments;
  /** Users and roles are also made by commands and kept with the data: for an engine that runs alone. */
  readonly ownUsers?: boolean;
  /** Answers do not wait for the disk, so that a crash of the machine takes what came last: for data that go anyway. */
  readonly unsynced?: boolean;
  /** The audit stream of every member; absent: none is kept. */
  readonly auditing?: AuditingSpec;
  /** The id of the master key that wraps the key of its file; absent: the file is not encrypted. */
  readonly encryption?: { readonly masterKey: string };
}

interface SizeLimits {
  /** Of each member; the next one is closed as soon as it is made. */
  readonly connections: number;
  /** Bytes of the data and their oplog; what would need more is refused, and reads go on. */
  readonly disk: number;
}

export interface AuditingSpec {
  readonly enabled: boolean;
  /** A query document as JSON over the fields of an audit message; absent or empty: every message. */
  readonly filter?: string;
  /** Also what was allowed, not only what was refused: `authCheck` with the result 0. */
  readonly authorizationSuccess: boolean;
}

/** Null and absent are the default. Those that speak of nothing an engine does are kept and answered alone. */
export interface ProcessArguments {
  /** Seconds; -1 is as long as the oplog. */
  readonly changeStreamOptionsPreAndPostImagesExpireAfterSeconds?: number;
  readonly chunkMigrationConcurrency?: number;
  readonly customOpensslCipherConfigTls12?: readonly string[];
  /** Milliseconds that a read may take which names no limit; 0 is none. */
  readonly defaultMaxTimeMS?: number;
  readonly defaultReadConcern?: 'available' | 'local';
  /** `majority`, or a number of members as text. */
  readonly defaultWriteConcern?: string;
  readonly javascriptEnabled?: boolean;
  readonly minimumEnabledTlsProtocol?: TlsProtocol;
  readonly noTableScan?: boolean;
  readonly oplogMinRetentionHours?: number | null;
  readonly oplogSizeMB?: number | null;
  readonly queryStatsLogVerbosity?: number;
  readonly sampleRefreshIntervalBIConnector?: number;
  readonly sampleSizeBIConnector?: number;
  readonly tlsCipherConfigMode?: 'CUSTOM' | 'DEFAULT';
  readonly transactionLifetimeLimitSeconds?: number;
}

export type TlsProtocol = 'TLS1_0' | 'TLS1_1' | 'TLS1_2' | 'TLS1_3';

/** Who may log in to a deployment, and from where. */
export interface AccessSpec {
  /** Grows with every change of the project's users or addresses; an older one never replaces a newer one. */
  readonly revision: number;
  readonly users: readonly UserSpec[];
  /** CIDR blocks; none means that nobody may connect. */
  readonly addresses: readonly string[];
  /** Roles besides the built-in ones, which users may be granted. */
  readonly customRoles?: readonly CustomRoleSpec[];
  /** Who has not logged in may do everything: for a database of tests. */
  readonly open?: boolean;
}

/**
 * A user that may log in to the deployment. Whose scopes do not name its cluster is not listed: the service, which
 * knows clusters by name, leaves such users out.
 */
export interface UserSpec {
  readonly username: string;
  /** Where the user is defined: `admin` or `$external`. */
  readonly database: string;
  readonly roles: readonly RoleGrant[];
  /** Absent for users that do not log in with a password. */
  readonly scram?: ScramCredentials;
  /** From where, and at which of the server's addresses, the user may log in: one of each list must fit. */
  readonly restrictions?: ReadonlyArray<{
    readonly clientSource?: readonly string[];
    readonly serverAddress?: readonly string[];
  }>;
}

/** Actions on resources, and other roles whose privileges it has too. Names of actions are the server's: `find`. */
export interface CustomRoleSpec {
  readonly role: string;
  /** Where the role is defined; roles of the API belong to `admin`. */
  readonly database: string;
  readonly privileges: readonly PrivilegeSpec[];
  readonly roles: readonly RoleGrant[];
}

interface PrivilegeSpec {
  readonly actions: readonly string[];
  /** `{cluster: true}`, or a database and a collection; an empty name is any of them. */
  readonly resource: {
    readonly cluster?: boolean;
    readonly anyResource?: boolean;
    readonly db?: string;
    readonly collection?: string;
  };
}

export interface RoleGrant {
  readonly role: string;
  readonly database: string;
  readonly collection?: string;
}

/** Salted verifiers (RFC 5802); the password itself never reaches an engine. All texts are base64. */
export interface ScramCredentials {
  readonly sha1?: ScramVerifier;
  readonly sha256?: ScramVerifier;
}

export interface ScramVerifier {
  readonly iterations: number;
  readonly salt: string;
  readonly storedKey: string;
  readonly serverKey: string;
}

export interface MemberAddress {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

export type DeploymentState = 'running' | 'paused' | 'failed';

/** A member has become primary in the place of another one. */
export interface Election {
  readonly memberId: string;
  /** Service time, milliseconds since 1970. */
  readonly time: number;
}

/** What happens to commands of drivers, because the operator wants it so. */
export interface WireFault {
  readonly id: string;
  readonly commands: readonly string[];
  /** Ends the connection, in the place of an answer. */
  readonly closeConnection?: boolean;
  /** Answers an error with this code, in the place of its own. */
  readonly errorCode?: number;
  /** Milliseconds before anything else happens. */
  readonly delay?: number;
  /** So many commands pass first. */
  readonly skip: number;
  /** Met so often at most, by all members together. */
  readonly times?: number;
  readonly probability: number;
  /** Decides which commands meet it; absent where a former version has declared it. */
  readonly seed?: number;
}

export interface Deployment {
  readonly id: string;
  readonly state: DeploymentState;
  readonly members: readonly MemberAddress[];
  /** The revision of users and addresses that every member enforces. */
  readonly accessRevision: number;
  /**
   * The member of each replica set that takes writes, in the order of shards; none of a replica set while a majority
   * of its electable members is missing.
   */
  readonly primaries: readonly string[];
  /** Ids of members that were stopped and are to stay so. */
  readonly stopped?: readonly string[];
  /** The elections of the last hours, by which another member followed a primary; the oldest first. */
  readonly elections?: readonly Election[];
  /** Why the state is `failed`. */
  readonly message?: string;
}

export interface TroubledDeployment {
  readonly id: string;
  readonly message: string;
}

/** Which log-ins are wanted; all that is absent does not matter. Times are service time, milliseconds since 1970. */
export interface AccessHistoryQuery {
  readonly from?: number;
  /** The last that counts. */
  readonly to?: number;
  readonly success?: boolean;
  /** `192.0.2.1` */
  readonly address?: string;
  readonly memberId?: string;
  /** 20,000 where it is absent. */
  readonly limit?: number;
}

/** One attempt to log in to a member. */
export interface AccessAttempt {
  /** Service time, milliseconds since 1970. */
  readonly time: number;
  readonly success: boolean;
  readonly username: string;
  /** The database that the caller has named as the user's. */
  readonly authSource: string;
  readonly mechanism: string;
  /** The caller's address, without a port. */
  readonly address: string;
  readonly memberId: string;
  /** `127.0.0.1:27100`: the member, as drivers reach it. */
  readonly host: string;
  /** Null where it succeeded. */
  readonly failureReason: string | null;
  /** The line of the member's log, as JSON. */
  readonly logLine: string;
}

/** What is written by each member: JSON lines, see `Engine.logs`. */
export type LogName = 'db' | 'db-audit-log';

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

/** What builds and searches a deployment, but for its query thread, which searches where there are no nodes. */
export interface SearchSample {
  /** Threads of its own that search. */
  readonly nodes: number;
  /** Microseconds of a processor that its nodes, and whoever builds, have taken for it. */
  readonly processor: { readonly user: number; readonly kernel: number };
  /** Bytes of these threads; the one that builds may do so for others, too. */
  readonly memory: SearchMemory;
  /** Bytes of its file. */
  readonly disk: number;
  /** By their ids. */
  readonly indexes: Readonly<Record<string, SearchIndexSample>>;
  /** Why its indexes follow the data no more. */
  readonly stopped?: string;
  /** They will follow no more soon, as the disk is nearly full. */
  readonly stopsSoon?: true;
  /** A thread that builds or searches has just ended, as there was no memory left for it. */
  readonly outOfMemory?: true;
}

export interface SearchMemory {
  readonly resident: number;
  readonly virtual: number;
  /** Used of `most`, for what JavaScript makes. */
  readonly heap: number;
  readonly most: number;
}

export interface SearchIndexSample extends IndexFollowed, IndexAsked {
  /** Of its definition; absent in samples of earlier versions. */
  readonly version?: number;
  readonly bytes: number;
  readonly documents: number;
  /** A field of several types counts as several. */
  readonly fields: number;
}

/** What the newest version of an index has taken out of the oplog. */
export interface IndexFollowed {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  /** Seconds of the oplog between the first change that is not indexed and the newest entry; 0 when there is none. */
  readonly lag: number;
  /** Why it may lack changes although it serves. */
  readonly stale?: string;
  /** Whether all documents that tell synonyms can be used; absent where it has no synonyms. */
  readonly synonyms?: 'FAILED' | 'READY';
}

/** Searches of an index over one member. */
export interface IndexAsked {
  readonly succeeded: number;
  readonly failed: number;
  /** Answers besides the first of a search. */
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

/** What the machine has done since it was started, for everyone who uses it; null where it does not tell. */
export interface MachineFigures {
  readonly processors: number;
  /** Milliseconds of all processors together; those of a guest are also `user`. */
  readonly processor: Readonly<Record<ProcessorUse, number>> | null;
  /** Bytes. */
  readonly memory: { readonly total: number; readonly free: number; readonly available: number };
  /** Bytes; `in` and `out` have been moved. */
  readonly swap: {
    readonly total: number;
    readonly free: number;
    readonly in: number;
    readonly out: number;
  } | null;
  /** Bytes through its interfaces, its loopback apart. */
  readonly network: { readonly in: number; readonly out: number } | null;
  /** Page faults of the engine's process that have had to be read from the disk. */
  readonly pageFaults: number;
  /** The disk that the data are on: requests, bytes, and milliseconds that requests have waited for it. */
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

/** The databases of a deployment, as of its newest sample; none before the first. */
export interface DeploymentDatabases {
  /** Of the deployment. */
  readonly id: string;
  /** By name. */
  readonly databases: Readonly<Record<string, DatabaseSizes>>;
}

/** The newest samples of a member, the oldest of them first; none before the first one is taken. */
export interface MemberSamples {
  /** Of the deployment. */
  readonly id: string;
  readonly memberId: string;
  readonly samples: readonly MemberSample[];
}
