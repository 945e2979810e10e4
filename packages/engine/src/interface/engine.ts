/**
 * The data types of the calls between the service and an engine (`calls.ts`). A *deployment* is what an engine runs for
 * a cluster; its *members* are the nodes that drivers connect to.
 */

import type { FoundServers } from './found.ts';

export type * from './found.ts';
export type * from './samples.ts';

/** A `router` holds no data: it accepts the commands for all shards of a sharded deployment. */
export type MemberKind = 'electable' | 'readOnly' | 'analytics' | 'router';

export interface MemberSpec {
  /** Stable within the deployment: `shard-00-00`, `router-00-00`. */
  readonly id: string;
  /** Shard number, from 0; for a router, the shard whose machine it shares. */
  readonly shard: number;
  readonly kind: MemberKind;
  readonly provider: string;
  readonly region: string;
  /** Election priority; 0 is never elected. */
  readonly priority: number;
  /** Drivers do not discover this member; its priority is 0. */
  readonly hidden?: boolean;
  /** Host names below the domain of the engine, if it has one; the replica set uses the first. */
  readonly names?: readonly string[];
  /** The port it listens on; absent: a free port of the host's range, which it keeps. */
  readonly port?: number;
}

export interface DeploymentSpec {
  /** The cluster's id. */
  readonly id: string;
  readonly clusterName: string;
  readonly replicaSetName: string;
  /** The replica set of each shard of a sharded deployment; the first is `replicaSetName`. */
  readonly shardNames?: readonly string[];
  /** `8.0` */
  readonly majorVersion: string;
  /** `8.0.29` */
  readonly version: string;
  readonly members: readonly MemberSpec[];
  readonly access: AccessSpec;
  /** The minimum TLS version of members; default: 1.2. */
  readonly minimumTlsProtocol?: TlsProtocol;
  /** Limits of its size; absent: those of the machine. */
  readonly limits?: SizeLimits;
  /** Server options under the names of the API's process arguments; absent: the server's defaults. */
  readonly arguments?: ProcessArguments;
  /** For a standalone engine: commands may create users and roles, which are stored with the data. */
  readonly ownUsers?: boolean;
  /** Replies do not wait for the disk, so a crash of the machine loses the latest writes: for temporary data. */
  readonly unsynced?: boolean;
  /** The audit stream of every member; absent: none. */
  readonly auditing?: AuditingSpec;
  /** The id of the master key that wraps the key of its file; absent: the file is not encrypted. */
  readonly encryption?: { readonly masterKey: string };
}

interface SizeLimits {
  /** Maximum per member; connections above it are closed at once. */
  readonly connections: number;
  /** Maximum bytes of the data and their oplog; writes above it are rejected, reads continue. */
  readonly disk: number;
}

export interface AuditingSpec {
  readonly enabled: boolean;
  /** A query document as JSON over the fields of an audit message; absent or empty: every message. */
  readonly filter?: string;
  /** Also records successful authorization: `authCheck` with the result 0. */
  readonly authorizationSuccess: boolean;
}

/** Null and absent mean the default. Arguments without a meaning in an engine are only kept and returned. */
export interface ProcessArguments {
  /** Seconds; -1 is as long as the oplog. */
  readonly changeStreamOptionsPreAndPostImagesExpireAfterSeconds?: number;
  readonly chunkMigrationConcurrency?: number;
  readonly customOpensslCipherConfigTls12?: readonly string[];
  /** Time limit in milliseconds of reads that set none; 0: no limit. */
  readonly defaultMaxTimeMS?: number;
  readonly defaultReadConcern?: 'available' | 'local';
  /** `majority`, or a number of members as a string. */
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

/** Users of a deployment and their allowed addresses. */
export interface AccessSpec {
  /** Increases with every change of the project's users or addresses; an older revision never replaces a newer one. */
  readonly revision: number;
  readonly users: readonly UserSpec[];
  /** CIDR blocks; if empty, nobody may connect. */
  readonly addresses: readonly string[];
  /** Roles that users may be granted besides the built-in ones. */
  readonly customRoles?: readonly CustomRoleSpec[];
  /** The authorities that sign users' certificates, by name; each is a text of PEM certificates. */
  readonly authorities?: Readonly<Record<string, string>>;
  /** Clients have all privileges without login: for test databases. */
  readonly open?: boolean;
}

/** A user that may log in to the deployment. The service leaves out users whose scopes do not include the cluster. */
export interface UserSpec {
  readonly username: string;
  /** Where the user is defined: `admin` or `$external`. */
  readonly database: string;
  readonly roles: readonly RoleGrant[];
  /** Absent for users that do not log in with a password. */
  readonly scram?: ScramCredentials;
  /** Present for users that log in with a certificate, whose subject in the form of RFC 2253 is their name. */
  readonly certificates?: {
    /** The name of the authority in `AccessSpec.authorities`. */
    readonly authority: string;
    /** A URI that the certificate must contain as alternative name; absent: none. */
    readonly uri?: string;
  };
  /** Client and server addresses with which the user may log in: one of each list must match. */
  readonly restrictions?: ReadonlyArray<{
    readonly clientSource?: readonly string[];
    readonly serverAddress?: readonly string[];
  }>;
}

/** Actions on resources, and inherited roles. Action names are the server's: `find`. */
export interface CustomRoleSpec {
  readonly role: string;
  /** Where the role is defined; roles of the API belong to `admin`. */
  readonly database: string;
  readonly privileges: readonly PrivilegeSpec[];
  readonly roles: readonly RoleGrant[];
}

interface PrivilegeSpec {
  readonly actions: readonly string[];
  /**
   * `{cluster: true}`, a database and a collection, or a database and the time series of buckets; an empty name matches
   * any.
   */
  readonly resource: {
    readonly cluster?: boolean;
    readonly anyResource?: boolean;
    readonly db?: string;
    readonly collection?: string;
    readonly system_buckets?: string;
  };
}

export interface RoleGrant {
  readonly role: string;
  readonly database: string;
  readonly collection?: string;
}

/** The name under which a command runs; the deployment need not have a user of this name. */
export interface ActingUser {
  readonly username: string;
  readonly roles: readonly RoleGrant[];
}

/** Salted verifiers (RFC 5802); the password itself never reaches an engine. All strings are base64. */
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

/** The election of a member that replaces another primary. */
export interface Election {
  readonly memberId: string;
  /** Service time, milliseconds since 1970. */
  readonly time: number;
}

/** A fault that the operator has declared for commands of drivers. */
export interface WireFault {
  readonly id: string;
  readonly commands: readonly string[];
  /** Closes the connection instead of replying. */
  readonly closeConnection?: boolean;
  /** Returns an error with this code instead of the command's reply. */
  readonly errorCode?: number;
  /** Delay in milliseconds before anything else happens. */
  readonly delay?: number;
  /** Number of matching commands that pass first. */
  readonly skip: number;
  /** Maximum number of failures, of all members together. */
  readonly times?: number;
  readonly probability: number;
  /** Determines which commands fail; absent in faults that earlier versions declared. */
  readonly seed?: number;
}

export interface Deployment {
  readonly id: string;
  readonly state: DeploymentState;
  readonly members: readonly MemberAddress[];
  /** The revision of users and addresses that every member enforces. */
  readonly accessRevision: number;
  /**
   * The primary of each replica set, in the order of shards; a replica set without a majority of its electable members
   * has none.
   */
  readonly primaries: readonly string[];
  /** Ids of members that were stopped and stay stopped. */
  readonly stopped?: readonly string[];
  /** Ids of members that do not answer although nobody stopped them; only of engines that do not start members. */
  readonly down?: readonly string[];
  /** Elections of the last hours in which a member replaced another primary, oldest first. */
  readonly elections?: readonly Election[];
  /** Why the state is `failed`. */
  readonly message?: string;
  /** What was found out about servers that the engine did not start. */
  readonly found?: FoundServers;
}

export interface DeploymentProblem {
  readonly id: string;
  readonly message: string;
}

/** Selects logins; absent fields match all. Times are service time, milliseconds since 1970. */
export interface AccessHistoryQuery {
  readonly from?: number;
  /** Inclusive. */
  readonly to?: number;
  readonly success?: boolean;
  /** `192.0.2.1` */
  readonly address?: string;
  readonly memberId?: string;
  /** Default: 20,000. */
  readonly limit?: number;
}

/** One attempt to log in to a member. */
export interface AccessAttempt {
  /** Service time, milliseconds since 1970. */
  readonly time: number;
  readonly success: boolean;
  readonly username: string;
  /** The authentication database that the client named. */
  readonly authSource: string;
  readonly mechanism: string;
  /** The client's address, without a port. */
  readonly address: string;
  readonly memberId: string;
  /** `127.0.0.1:27100`: the member's address for drivers. */
  readonly host: string;
  /** Null for a successful login. */
  readonly failureReason: string | null;
  /** The member's log line, as JSON. */
  readonly logLine: string;
}

/** Logs of each member, in JSON lines; see `Engine.logs`. */
export type LogName = 'db' | 'db-audit-log';
