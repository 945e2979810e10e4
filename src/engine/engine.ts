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
  /** How the server behaves, as the API's process arguments name it; absent: the server's defaults. */
  readonly arguments?: ProcessArguments;
  /** Users and roles are also made by commands and kept with the data: for an engine that runs alone. */
  readonly ownUsers?: boolean;
  /** The audit stream of every member; absent: none is kept. */
  readonly auditing?: AuditingSpec;
  /** The id of the master key that wraps the key of its file; absent: the file is not encrypted. */
  readonly encryption?: { readonly masterKey: string };
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
  readonly operations: Readonly<
    Record<'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command', number>
  >;
  readonly documents: Readonly<Record<'returned' | 'inserted' | 'updated' | 'deleted', number>>;
  readonly examined: { readonly keys: number; readonly documents: number };
  /** How many there were, and the sum of the microseconds from request to answer. */
  readonly latency: Readonly<
    Record<'reads' | 'writes' | 'commands', { readonly ops: number; readonly micros: number }>
  >;
  readonly connections: { readonly current: number; readonly totalCreated: number };
  readonly network: { readonly bytesIn: number; readonly bytesOut: number; readonly requests: number };
  /** Of the process that runs all deployments of its machine. */
  readonly memory: { readonly resident: number; readonly virtual: number };
  /** `window`: seconds between its first and its last entry. */
  readonly oplog: { readonly bytes: number; readonly window: number };
  /** `used` by the deployment; `free` and `total` of the disk it is on. */
  readonly disk: { readonly used: number; readonly free: number; readonly total: number };
}

/** The newest samples of a member, the oldest of them first; none before the first one is taken. */
export interface MemberSamples {
  /** Of the deployment. */
  readonly id: string;
  readonly memberId: string;
  readonly samples: readonly MemberSample[];
}
